//! Checks instructions against their effects: compares the declared accesses with the actual ones.
//!
//! Debug builds check the first runs of each instruction: changed bytes must be within its writes. An audit
//! ([`Options::audit`](super::Options::audit)) also runs each instruction again with all bytes outside its declared reads
//! changed: the results must be equal; and again with single bytes of its reads changed: some results must differ.

mod trial;

use super::super::code::FunctionCode;
use super::super::event::{Place, Touched};
use super::super::operands::Space;
use super::step::Stop;
use super::{Core, Frame, Machine};
use pto_isa::op::effect::Access;
use pto_num::random;
use std::collections::BTreeMap;
use trial::{Marks, Parts, Snapshot, Trial, flip, sample, undeclared};

/// Runs of an operation that debug builds check.
const CHECKED_RUNS: u64 = 16;

/// Most bytes of global memory that debug builds compare.
const CHECKED_GLOBAL: usize = 1 << 20;

/// Result of an audit for one effect of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Whether the first byte of some contiguous run was shown to be read, or written.
    pub first: bool,
    /// Whether the last byte of some contiguous run was shown to be read, or written.
    pub last: bool,
    /// Number of bytes that were changed on trial.
    pub tried: u64,
    /// Number of bytes that were shown to be read, or written.
    pub shown: u64,
}

impl Shown {
    /// Adds the result of another audit for the same effect.
    pub fn join(&mut self, other: &Shown) {
        self.first |= other.first;
        self.last |= other.last;
        self.tried += other.tried;
        self.shown += other.shown;
    }
}

/// Result of an audit of a launch.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// Messages about effects that are wrong.
    pub violations: Vec<String>,
    /// Results by page name and description of the effect. Effects that give a reason why bytes may have no influence
    /// are marked.
    pub shown: BTreeMap<(&'static str, String, bool), Shown>,
}

impl Machine<'_> {
    /// Accesses of the current run of an instruction.
    fn touched(&self, core: &Core, frame: Frame, code: &FunctionCode, index: usize) -> Vec<Touched> {
        let mut touched = Vec::new();
        let touches = &code.tiles[index].footprint.touches;
        core.operands(self.program, frame, &self.state.global).touched(touches, &mut touched);
        touched
    }

    /// The parts of the block's memory that the program may write.
    fn parts(&self, core: &Core) -> Parts {
        let end = self.program.map.spare.0.min(core.memory.len());
        let parts = self.program.written.iter();
        Parts::new(parts.map(|part| part.start.min(end)..part.end.min(end)))
    }

    /// Copies the memory before an instruction that debug builds check.
    pub(super) fn before(&self, core: &Core, place: Place) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
        if !cfg!(debug_assertions) || self.options.by_formula || self.options.audit.is_some() {
            return None;
        }
        if self.state.coverage.runs(place) >= CHECKED_RUNS {
            return None;
        }
        let buffers = self.state.global.buffers().iter().map(|buffer| buffer.steady());
        let small = buffers.clone().map(<[u8]>::len).sum::<usize>() <= CHECKED_GLOBAL;
        let global = if small { buffers.map(<[u8]>::to_vec).collect() } else { Vec::new() };
        Some((self.parts(core).copy(&core.memory), global))
    }

    /// Checks that the bytes that an instruction changed are within its writes.
    ///
    /// # Panics
    /// If a changed byte is outside: the effects on the instruction's page are wrong.
    pub(super) fn assert_writes(
        &self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
        memory: Vec<u8>,
        global: Vec<Vec<u8>>,
    ) {
        let parts = self.parts(core);
        let buffers = global.iter().zip(self.state.global.buffers());
        if parts.are_in(&core.memory, &memory) && buffers.clone().all(|(old, buffer)| old == buffer.steady())
        {
            return;
        }
        let touched = self.touched(core, frame, code, index);
        let marks = Marks::of(&touched, &parts, global.iter().map(Vec::len));
        let name = super::report::page_of(self.program, code, index);
        let changed = undeclared(&memory, &parts.copy(&core.memory), &marks.memory);
        assert_eq!(changed, None, "`{name}` changed a byte of the tiles that it does not declare to write");
        for ((old, buffer), marks) in buffers.zip(&marks.global) {
            let (changed, buffer) = (undeclared(old, buffer.steady(), marks), &buffer.name);
            assert_eq!(
                changed, None,
                "`{name}` changed a byte of `{buffer}` that it does not declare to write"
            );
        }
    }

    fn snapshot(&self, core: &Core, parts: &Parts) -> Snapshot {
        Snapshot {
            memory: parts.copy(&core.memory),
            global: self.state.global.buffers().iter().map(|buffer| buffer.watched().to_vec()).collect(),
            scalars: core.scalars.clone(),
            tiles: core.tiles.clone(),
            registers: core.registers.clone(),
            printed: self.state.outcome.printed.len(),
        }
    }

    fn restore(&mut self, core: &mut Core, parts: &Parts, from: &Snapshot) {
        parts.restore(&mut core.memory, &from.memory);
        for (at, bytes) in from.global.iter().enumerate() {
            self.state.global.replace(at, bytes);
        }
        core.scalars.clone_from(&from.scalars);
        core.tiles.clone_from(&from.tiles);
        core.registers.clone_from(&from.registers);
        self.state.outcome.printed.truncate(from.printed);
    }

    /// Runs an instruction under audit.
    pub(super) fn audited(
        &mut self,
        core: &mut Core,
        frame: &Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<bool, Stop> {
        let (touched, parts) = (self.touched(core, *frame, code, index), self.parts(core));
        let before = self.snapshot(core, &parts);
        let polls = self.execute(core, frame, code, index)?;
        let lints = self.state.reports.len();
        let (after, printed) =
            (self.snapshot(core, &parts), self.state.outcome.printed[before.printed..].to_vec());
        let marks = Marks::of(&touched, &parts, before.global.iter().map(Vec::len));
        let trial = Trial { parts: &parts, before: &before, after: &after, marks: &marks, printed: &printed };
        let page = super::report::page_of(self.program, code, index);
        let mut found: Vec<String> = trial.undeclared().into_iter().collect();
        // Everything that it does not read gets other contents.
        let mut random = random::mix(self.options.audit.unwrap_or(1) ^ self.state.coverage.total());
        let mut other = before.clone();
        trial.scramble(&mut other, &mut random);
        self.restore(core, &parts, &other);
        match self.execute(core, frame, code, index) {
            Ok(_) => found.extend(trial.difference(self, core)),
            Err(_) => found.push("stops where bytes differ that it does not declare to read".to_owned()),
        }
        self.state.outcome.audit.violations.extend(found.iter().map(|what| format!("{page}: {what}")));
        self.tighten(core, (frame, code, index), &touched, &trial, &mut random);
        self.restore(core, &parts, &after);
        self.state.outcome.printed.extend(printed);
        // Findings of the other runs do not belong to the program.
        self.state.reports.truncate(lints);
        Ok(polls)
    }

    /// Changes single bytes of the declared reads, and checks which declared writes are written.
    fn tighten(
        &mut self,
        core: &mut Core,
        (frame, code, index): (&Frame, &FunctionCode, usize),
        touched: &[Touched],
        trial: &Trial<'_>,
        random: &mut u64,
    ) {
        let page = super::report::page_of(self.program, code, index);
        let effects = super::report::effects_of(self.program, code, index);
        let one =
            |a: &Touched, b: &Touched| (a.touch.effect, a.touch.operand) == (b.touch.effect, b.touch.operand);
        for of_one in touched.chunk_by(one) {
            let touch = of_one[0].touch;
            let ranges = of_one.iter().map(|touched| (touched.space, touched.range));
            let ranges: Vec<_> = ranges.filter(|(_, range)| range.run > 0).collect();
            let (Some(first), Some(last)) = (ranges.first(), ranges.last()) else { continue };
            let effect = &effects[usize::from(touch.effect)];
            // Bytes of which only some matter are tried more often.
            let samples = if effect.loose.is_some() { 24 } else { 1 };
            let mut places = vec![(first.0, first.1.start), (last.0, last.1.end() - 1)];
            places.extend((0..samples).map(|_| sample(&ranges, random)));
            let mut shown = Shown::default();
            if touch.access == Access::PartialWrite {
                let all = ranges.iter().flat_map(|(space, range)| range.runs().map(|run| (*space, run)));
                let mut bytes = all
                    .flat_map(|(space, (start, length))| (start..start + length).map(move |at| (space, at)));
                shown.shown += u64::from(bytes.any(|(space, byte)| trial.is_written(space, byte)));
            }
            for (at, (space, byte)) in places.into_iter().enumerate() {
                let matters = match touch.access {
                    Access::Read => self.matters(core, (frame, code, index), trial, (space, byte), random),
                    Access::Write | Access::PartialWrite => trial.is_written(space, byte),
                    _ => continue,
                };
                shown.tried += 1;
                shown.shown += u64::from(matters);
                shown.first |= at == 0 && matters;
                shown.last |= at == 1 && matters;
            }
            if shown.tried > 0 {
                let key = (page, effect.describe(), effect.loose.is_some());
                self.state.outcome.audit.shown.entry(key).or_default().join(&shown);
            }
        }
    }

    /// Whether another value of a byte leads to other results.
    fn matters(
        &mut self,
        core: &mut Core,
        (frame, code, index): (&Frame, &FunctionCode, usize),
        trial: &Trial<'_>,
        (space, byte): (Space, u64),
        random: &mut u64,
    ) -> bool {
        for flip in [0xff, 0x80, 0x01, 0x40, flip(random)] {
            self.restore(core, trial.parts, trial.before);
            match space {
                Space::Chip(..) => core.memory[byte as usize] ^= flip,
                Space::Global(buffer) => self.state.global.flip(buffer as usize, byte as usize, flip),
            }
            let stops = self.execute(core, frame, code, index).is_err();
            if stops || trial.difference(self, core).is_some() {
                return true;
            }
        }
        false
    }
}
