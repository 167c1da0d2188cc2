//! Holds instructions to their effects: what an instruction declares to touch is compared with what really happens.
//!
//! In debug builds each instruction's first runs are checked: the bytes that changed lie within its writes. An audit
//! ([`Options::audit`](super::Options::audit)) goes further: it runs each instruction again with all bytes outside its
//! declared reads changed, which must leave the same results, and again with single bytes of its reads changed, which
//! shows that they matter.

use super::super::code::FunctionCode;
use super::super::event::Place;
use super::super::footprint::{Space, Touch};
use super::super::region::Region;
use super::step::Stop;
use super::{Core, Frame, Machine};
use crate::isa::op::effect::Access;
use crate::isa::op::registers::Registers;
use crate::isa::op::state::Live;
use std::collections::BTreeMap;
use std::ops::Range;

/// Runs of an operation that debug builds check.
const CHECKED_RUNS: u64 = 16;

/// Most bytes of global memory that debug builds compare.
const CHECKED_GLOBAL: usize = 1 << 20;

/// What an audit found out about one effect of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shown {
    /// Whether the first byte of some run was shown to be read, or written.
    pub first: bool,
    /// Whether the last byte was.
    pub last: bool,
    /// Bytes that were tried.
    pub tried: u64,
    /// Bytes that were shown to be read, or written.
    pub shown: u64,
}

impl Shown {
    /// Adds what another audit found out about the same effect.
    pub fn join(&mut self, other: &Shown) {
        self.first |= other.first;
        self.last |= other.last;
        self.tried += other.tried;
        self.shown += other.shown;
    }
}

/// What an audit of a launch found.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// Effects that do not hold, in words.
    pub violations: Vec<String>,
    /// For each instruction, by its page's name, and each of its effects, in the words of the manual: what was shown.
    /// Effects with a reason why bytes may be without influence are marked.
    pub shown: BTreeMap<(&'static str, String, bool), Shown>,
}

/// How a byte is touched.
mod mark {
    pub(super) const READ: u8 = 1;
    pub(super) const WRITE: u8 = 2;
    pub(super) const PARTIAL: u8 = 4;
    pub(super) const DESTROY: u8 = 8;
}

fn mark_of(touch: &Touch) -> u8 {
    match touch.access {
        Access::Read | Access::Await | Access::Look => mark::READ,
        Access::Write if touch.shares_bytes() => mark::PARTIAL,
        Access::Write => mark::WRITE,
        Access::PartialWrite | Access::Notify => mark::PARTIAL,
        Access::Destroy => mark::DESTROY,
        Access::Name | Access::Fence => 0,
    }
}

/// One effect with the regions that it means in one run.
type Touched = (Touch, Vec<(Space, Region)>);

/// Everything that an instruction may change.
#[derive(Clone)]
struct Snapshot {
    memory: Vec<u8>,
    global: Vec<Vec<u8>>,
    scalars: Vec<u64>,
    tiles: Vec<Live>,
    registers: Registers,
    printed: usize,
}

/// For each byte of the block's memory and of each buffer, how the instruction touches it.
struct Marks {
    memory: Vec<u8>,
    global: Vec<Vec<u8>>,
}

impl Marks {
    fn of(touched: &[Touched], memory: usize, global: impl Iterator<Item = usize>) -> Marks {
        let mut marks = Marks { memory: vec![0; memory], global: global.map(|size| vec![0; size]).collect() };
        for (touch, regions) in touched {
            for (space, region) in regions {
                let target = match space {
                    Space::Chip(..) => Some(&mut marks.memory),
                    Space::Global(buffer) => marks.global.get_mut(*buffer as usize),
                };
                let Some(target) = target else { continue };
                for (start, length) in region.runs() {
                    let end = target.len().min((start + length) as usize);
                    target[end.min(start as usize)..end].iter_mut().for_each(|byte| *byte |= mark_of(touch));
                }
            }
        }
        marks
    }
}

impl Machine<'_> {
    /// The effects of an instruction with the regions that they mean now.
    fn touched(&self, core: &Core, frame: Frame, code: &FunctionCode, index: usize) -> Vec<Touched> {
        let operands = core.operands(self.program, frame, &self.global);
        let touches = code.tiles[index].footprint.touches.iter();
        let regions = |touch: &Touch| {
            let mut regions = Vec::new();
            operands.regions(touch, &mut |space, region| regions.push((space, region)));
            (*touch, regions)
        };
        touches.map(regions).collect()
    }

    /// The parts of the block's memory that the program may write.
    fn ranges(&self, core: &Core) -> impl Iterator<Item = Range<usize>> + use<'_> {
        let end = self.program.map.spare.0.min(core.memory.len());
        self.program.written.iter().map(move |range| range.start.min(end)..range.end.min(end))
    }

    /// What memory holds before an instruction that debug builds check.
    pub(super) fn before(&self, core: &Core, place: Place) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
        if !cfg!(debug_assertions) || self.options.by_formula {
            return None;
        }
        if self.coverage.runs(place) >= CHECKED_RUNS {
            return None;
        }
        let memory = self.ranges(core).flat_map(|range| core.memory[range].iter().copied()).collect();
        let buffers = self.global.buffers().iter().map(|buffer| buffer.watched());
        let small = buffers.clone().map(<[u8]>::len).sum::<usize>() <= CHECKED_GLOBAL;
        Some((memory, if small { buffers.map(<[u8]>::to_vec).collect() } else { Vec::new() }))
    }

    /// Compares memory with what it was before an instruction: what changed lies within its writes.
    ///
    /// # Panics
    /// If it does not: a mistake on the instruction's page.
    pub(super) fn assert_writes(
        &self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
        (memory, global): (Vec<u8>, Vec<Vec<u8>>),
    ) {
        let touched = self.touched(core, frame, code, index);
        let sizes = global.iter().map(Vec::len);
        let marks = Marks::of(&touched, core.memory.len(), sizes);
        let may_change = |mark: &u8| mark & (mark::WRITE | mark::PARTIAL | mark::DESTROY) != 0;
        let name = || super::report::operation_of(self.program, code, index).name.clone();
        let mut at = 0;
        for range in self.ranges(core) {
            let (old, new) = (&memory[at..at + range.len()], &core.memory[range.clone()]);
            at += range.len();
            let changed = old
                .iter()
                .zip(new)
                .zip(&marks.memory[range])
                .find(|((a, b), mark)| a != b && !may_change(mark));
            assert!(
                changed.is_none(),
                "`{}` changed a byte of the block's memory that it does not declare to write",
                name()
            );
        }
        for ((old, marks), buffer) in global.iter().zip(&marks.global).zip(self.global.buffers()) {
            let changed = old
                .iter()
                .zip(buffer.watched())
                .zip(marks)
                .find(|((a, b), mark)| a != b && !may_change(mark));
            assert!(
                changed.is_none(),
                "`{}` changed a byte of `{}` that it does not declare to write",
                name(),
                buffer.name
            );
        }
    }

    fn snapshot(&self, core: &Core) -> Snapshot {
        Snapshot {
            memory: core.memory.to_vec(),
            global: self.global.buffers().iter().map(|buffer| buffer.watched().to_vec()).collect(),
            scalars: core.scalars.clone(),
            tiles: core.tiles.clone(),
            registers: core.registers.clone(),
            printed: self.outcome.printed.len(),
        }
    }

    fn restore(&mut self, core: &mut Core, from: &Snapshot) {
        core.memory.copy_from_slice(&from.memory);
        for (at, bytes) in from.global.iter().enumerate() {
            self.global.replace(at, bytes);
        }
        core.scalars.clone_from(&from.scalars);
        core.tiles.clone_from(&from.tiles);
        core.registers.clone_from(&from.registers);
        self.outcome.printed.truncate(from.printed);
    }

    /// Runs an instruction under audit.
    pub(super) fn audited(
        &mut self,
        core: &mut Core,
        frame: &Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<bool, Stop> {
        let touched = self.touched(core, *frame, code, index);
        let before = self.snapshot(core);
        let turn = self.execute(core, frame, code, index)?;
        let lints = self.reports.len();
        let (after, printed) = (self.snapshot(core), self.outcome.printed[before.printed..].to_vec());
        let marks = Marks::of(&touched, before.memory.len(), before.global.iter().map(Vec::len));
        let mut trial = Trial { before: &before, after: &after, marks: &marks, printed: &printed };
        let page = super::report::page_of(self.program, code, index);
        let end = self.program.map.spare.0;
        let mut complain = |violation: Option<String>| {
            self.outcome.audit.violations.extend(violation.map(|what| format!("{page}: {what}")));
        };
        complain(trial.undeclared(end));
        // Everything that it does not read gets other contents.
        let mut dice = self.options.audit.unwrap_or(1) ^ self.coverage.total().wrapping_mul(0x9e37_79b9);
        let mut other = before.clone();
        trial.scramble(&mut other, end, &mut dice);
        self.restore(core, &other);
        let again = self.execute(core, frame, code, index);
        let found =
            again.is_err().then(|| "stops where bytes differ that it does not declare to read".to_owned());
        let found = found.or_else(|| trial.difference(self, core, end));
        self.outcome.audit.violations.extend(found.iter().map(|what| format!("{page}: {what}")));
        self.tighten(core, frame, code, index, (&touched, &mut trial, &mut dice));
        self.restore(core, &after);
        self.outcome.printed.extend(printed);
        // What the other runs found is not of this program.
        self.reports.truncate(lints);
        Ok(turn)
    }

    /// Changes single bytes of what is read, and looks for bytes that were written.
    fn tighten(
        &mut self,
        core: &mut Core,
        frame: &Frame,
        code: &FunctionCode,
        index: usize,
        (touched, trial, dice): (&[Touched], &mut Trial<'_>, &mut u64),
    ) {
        let page = super::report::page_of(self.program, code, index);
        let effects = super::report::effects_of(self.program, code, index);
        for (touch, regions) in touched {
            let regions: Vec<_> = regions.iter().filter(|(_, region)| region.run > 0).collect();
            let (Some(first), Some(last)) = (regions.first(), regions.last()) else { continue };
            let effect = &effects[usize::from(touch.effect)];
            // Bytes of which only some matter are tried more often.
            let samples = if effect.loose.is_some() { 24 } else { 1 };
            let mut places = vec![(first.0, first.1.start), (last.0, last.1.end() - 1)];
            places.extend((0..samples).map(|_| sample(&regions, dice)));
            let mut shown = Shown::default();
            if touch.access == Access::PartialWrite {
                let all = regions.iter().flat_map(|(space, region)| region.runs().map(|run| (*space, run)));
                let mut bytes = all
                    .flat_map(|(space, (start, length))| (start..start + length).map(move |at| (space, at)));
                shown.shown += u64::from(bytes.any(|(space, byte)| trial.is_written(space, byte)));
            }
            for (at, (space, byte)) in places.into_iter().enumerate() {
                let matters = match touch.access {
                    Access::Read => self.matters(core, (frame, code, index), trial, (space, byte), dice),
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
                self.outcome.audit.shown.entry(key).or_default().join(&shown);
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
        dice: &mut u64,
    ) -> bool {
        let end = self.program.map.spare.0;
        for flip in [0xff, 0x80, 0x01, 0x40, (roll(dice) % 255 + 1) as u8] {
            let mut changed = trial.before.clone();
            let bytes = match space {
                Space::Chip(..) => &mut changed.memory,
                Space::Global(buffer) => &mut changed.global[buffer as usize],
            };
            let Some(target) = bytes.get_mut(byte as usize) else { return false };
            *target ^= flip;
            self.restore(core, &changed);
            let stops = self.execute(core, frame, code, index).is_err();
            if stops || trial.difference(self, core, end).is_some() {
                return true;
            }
        }
        false
    }
}

/// A byte of some regions.
fn sample(regions: &[&(Space, Region)], dice: &mut u64) -> (Space, u64) {
    let (space, region) = regions[roll(dice) as usize % regions.len()];
    (*space, region.start + roll(dice) % region.count * region.stride + roll(dice) % region.run)
}

/// The next random number, by a linear congruential generator.
fn roll(dice: &mut u64) -> u64 {
    *dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *dice >> 33
}

/// One run of an instruction that others are compared with.
struct Trial<'a> {
    before: &'a Snapshot,
    after: &'a Snapshot,
    marks: &'a Marks,
    printed: &'a [String],
}

impl Trial<'_> {
    /// A byte that changed without being declared as written.
    fn undeclared(&self, end: usize) -> Option<String> {
        let may_change = mark::WRITE | mark::PARTIAL | mark::DESTROY;
        let in_memory = (0..end.min(self.before.memory.len())).find(|at| {
            self.before.memory[*at] != self.after.memory[*at] && self.marks.memory[*at] & may_change == 0
        });
        if let Some(at) = in_memory {
            return Some(format!("changes byte {at} of the block's memory without declaring it"));
        }
        let buffers = self.before.global.iter().zip(&self.after.global).zip(&self.marks.global);
        buffers.enumerate().find_map(|(buffer, ((old, new), marks))| {
            let at = (0..old.len()).find(|at| old[*at] != new[*at] && marks[*at] & may_change == 0)?;
            Some(format!("changes byte {at} of buffer {buffer} without declaring it"))
        })
    }

    /// Changes every byte that is not read.
    fn scramble(&self, other: &mut Snapshot, end: usize, dice: &mut u64) {
        let mut change = |bytes: &mut [u8], marks: &[u8]| {
            for (byte, mark) in bytes.iter_mut().zip(marks) {
                if mark & (mark::READ | mark::PARTIAL) == 0 {
                    *byte ^= (roll(dice) % 255 + 1) as u8;
                }
            }
        };
        let end = end.min(other.memory.len());
        change(&mut other.memory[..end], &self.marks.memory);
        other.global.iter_mut().zip(&self.marks.global).for_each(|(bytes, marks)| change(bytes, marks));
    }

    /// What differs from the results of the first run.
    fn difference(&self, machine: &Machine<'_>, core: &Core, end: usize) -> Option<String> {
        let results = mark::WRITE | mark::PARTIAL;
        let destroyed = |mark: u8| mark & mark::DESTROY != 0 && mark & mark::WRITE == 0;
        let differs = |new: &[u8], old: &[u8], marks: &[u8]| {
            (0..new.len().min(old.len()).min(marks.len()))
                .find(|at| marks[*at] & results != 0 && !destroyed(marks[*at]) && new[*at] != old[*at])
        };
        let end = end.min(core.memory.len());
        if let Some(at) = differs(&core.memory[..end], &self.after.memory, &self.marks.memory) {
            return Some(format!(
                "byte {at} of the block's memory depends on bytes that it does not declare to read, or keeps its old value"
            ));
        }
        for (at, buffer) in machine.global.buffers().iter().enumerate() {
            if let Some(byte) = differs(buffer.watched(), &self.after.global[at], &self.marks.global[at]) {
                return Some(format!(
                    "byte {byte} of buffer {at} depends on bytes that it does not declare to read, or keeps its old value"
                ));
            }
        }
        if core.scalars != self.after.scalars || core.tiles != self.after.tiles {
            return Some("a scalar result depends on bytes that it does not declare to read".to_owned());
        }
        let printed = &machine.outcome.printed[self.before.printed..];
        (printed != self.printed).then(|| "prints bytes that it does not declare to read".to_owned())
    }

    /// Whether a byte was written: it is no source, and its old value did not remain in the run with changed bytes; or
    /// its value changed.
    fn is_written(&self, space: Space, byte: u64) -> bool {
        let at = byte as usize;
        let (old, new, mark) = match space {
            Space::Chip(..) => (&self.before.memory, &self.after.memory, self.marks.memory.get(at)),
            Space::Global(buffer) => {
                let buffer = buffer as usize;
                (&self.before.global[buffer], &self.after.global[buffer], self.marks.global[buffer].get(at))
            }
        };
        let pure = mark.is_some_and(|mark| mark & (mark::READ | mark::PARTIAL) == 0);
        pure || old.get(at) != new.get(at)
    }
}
