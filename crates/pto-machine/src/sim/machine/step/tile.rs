//! Tile instructions in the interpreter loop: checked if values changed, then executed or measured.

use super::super::pending::Stage;
use super::super::report::by_formula;
use super::super::tell::News;
use super::super::{Core, Frame, Machine};
use super::Stop;
use crate::sim::code::{CHECKED_STATES, FunctionCode, TileStep};
use crate::sim::event::{Place, Touched};
use crate::sim::footprint::Touch;
use crate::sim::operands::Space;
use pto_isa::exec::registers::Registers;
use pto_isa::exec::state::{Fault, Live, State, View};
use pto_isa::op::effect::Access;
use pto_kernels::matmul::Scratch;
use std::ops::Range;

/// Source of an instruction's operands.
struct Places<'a> {
    memory: &'a mut [u8],
    tiles: &'a mut [Live],
    views: &'a [View],
    scalars: &'a mut [u64],
    scratch: &'a mut Scratch,
    registers: &'a mut Registers,
}

/// Whether the rules of an instruction were checked for the states that its tiles have, if these were not known before the run.
#[inline(always)]
pub(super) fn is_checked(core: &Core, frame: &Frame, step: &TileStep) -> bool {
    let count = step.watched.len();
    if count == 0 {
        return true;
    }
    let (tiles, first) = (&core.tiles[frame.tiles..], step.seen as usize);
    let seen = &core.seen[frame.function][first..first + count * CHECKED_STATES];
    let is_now = |states: &[Live]| {
        step.watched.iter().zip(states).all(|(slot, state)| tiles[*slot as usize] == *state)
    };
    seen.chunks_exact(count).any(is_now)
}

/// Records that the rules were checked for these states, in place of the oldest recorded states.
fn remember(core: &mut Core, frame: &Frame, step: &TileStep) {
    let (count, first) = (step.watched.len(), step.seen as usize);
    let seen = &mut core.seen[frame.function][first..first + count * CHECKED_STATES];
    seen.copy_within(..count * (CHECKED_STATES - 1), count);
    for (slot, state) in step.watched.iter().zip(seen) {
        *state = core.tiles[frame.tiles..][*slot as usize];
    }
}

impl Machine<'_> {
    /// Whether instructions of a core only run and are counted: no events, audit, formulas, measuring or schedule.
    pub(super) fn is_plain(&self, core: &Core) -> bool {
        let observed = !self.observers.is_empty() || self.options.audit.is_some();
        !(observed || self.options.by_formula || self.state.reach.is_some() || core.pending.is_some())
    }

    /// Fast version of [`tile`](Machine::tile) for that case, if its rules need no check.
    #[inline(always)]
    pub(super) fn plain_tile(
        &mut self,
        core: &mut Core,
        frame: &Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<(), Stop> {
        if self.has_given_up() {
            return Err(Stop::Found(Vec::new()));
        }
        let polls = self.execute(core, frame, code, index)?;
        self.state.coverage.count(Self::place_of(frame, code, index));
        if polls { Err(Stop::Poll) } else { Ok(()) }
    }

    #[inline(never)]
    pub(super) fn tile(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<(), Stop> {
        let step = &code.tiles[index];
        if self.has_given_up() {
            return Err(Stop::Found(Vec::new()));
        }
        if self.state.reach.is_some() {
            return self.measure_tile(core, frame, code, index);
        }
        // A formula does not check its operands: the rules are checked each time.
        if self.options.by_formula || !is_checked(core, &frame, step) {
            self.check_now(core, frame, code, index)?;
            remember(core, &frame, step);
        }
        let observed = !self.observers.is_empty();
        let place = Self::place_of(&frame, code, index);
        if observed {
            self.look_at(core, frame.function, index, core.given(frame));
        }
        let begun = std::mem::take(&mut core.begun);
        if observed && !begun {
            self.tell_work(core, frame.function, index, core.given(frame), News::Issue);
        }
        if core.pending.is_some() && self.issue(core, frame, code, index)? {
            self.state.coverage.count(place);
            return Ok(());
        }
        if observed && core.pending.is_some() {
            // Running the preceding instructions has overwritten the accesses that were computed before.
            self.look_at(core, frame.function, index, core.given(frame));
        }
        if observed && !begun {
            self.tell_begin(core, place);
        }
        let done = match self.options.audit {
            Some(_) => self.audited(core, &frame, code, index),
            None => self.execute(core, &frame, code, index),
        };
        core.begun = matches!(done, Err(Stop::Wait(_)));
        let polls = done?;
        self.state.coverage.count(place);
        if observed {
            self.destroy(core);
            self.tell_work(core, frame.function, index, core.given(frame), News::End);
        }
        if polls { Err(Stop::Poll) } else { Ok(()) }
    }

    /// If unwritten memory is poisoned, fills the bytes that an instruction destroyed.
    fn destroy(&mut self, core: &mut Core) {
        if !self.options.poison
            || self.state.accesses.touched().iter().all(|touched| touched.touch.access != Access::Destroy)
        {
            return;
        }
        let runs = |accesses: &[Access]| -> Vec<Range<usize>> {
            let chip = |touched: &&Touched| {
                matches!(touched.space, Space::Chip(..)) && accesses.contains(&touched.touch.access)
            };
            let runs =
                self.state.accesses.touched().iter().filter(chip).flat_map(|touched| touched.range.runs());
            runs.map(|(start, length)| start as usize..(start + length) as usize).collect()
        };
        let results = runs(&[Access::Write, Access::PartialWrite]);
        let kept: Vec<Vec<u8>> = results.iter().map(|run| core.memory[run.clone()].to_vec()).collect();
        let pattern = self.options.pattern;
        runs(&[Access::Destroy]).into_iter().for_each(|run| core.memory[run].fill(pattern));
        for (run, bytes) in results.into_iter().zip(kept) {
            core.memory[run].copy_from_slice(&bytes);
        }
    }

    /// Runs an instruction. Returns whether it has tested signals and failed, so that the core yields before the next one.
    #[inline(always)]
    pub(in crate::sim::machine) fn execute(
        &mut self,
        core: &mut Core,
        frame: &Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<bool, Stop> {
        let before = self.before(core, Self::place_of(frame, code, index));
        let polls = self.execute_now(core, frame, code, index)?;
        if let Some((memory, global)) = before {
            self.assert_writes(core, *frame, code, index, memory, global);
        }
        Ok(polls)
    }

    #[inline(always)]
    fn execute_now(
        &mut self,
        core: &mut Core,
        frame: &Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<bool, Stop> {
        let vector_core = core.vector_core;
        let Core { memory, tiles, views, scalars, scratch, registers, .. } = core;
        let places = Places {
            memory,
            tiles: &mut tiles[frame.tiles..],
            views: &views[frame.views..],
            scalars: &mut scalars[frame.scalars..],
            scratch,
            registers,
        };
        self.execute_at(places, code, index, vector_core)
    }

    /// Runs an instruction with the operands that were saved at issue.
    pub(in crate::sim::machine) fn execute_staged(
        &mut self,
        core: &mut Core,
        stage: &mut Stage,
        function: usize,
        index: usize,
        vector_core: u32,
    ) -> Result<(), Stop> {
        let code = &self.program.functions[function];
        let observed = !self.observers.is_empty();
        if observed {
            self.look_at(core, function, index, stage.given());
            self.tell_begin(core, Place::of(function, code.tiles[index].operation));
        }
        let Core { memory, scratch, registers, .. } = core;
        let Stage { tiles, views, scalars } = stage;
        let places = Places { memory, tiles, views, scalars, scratch, registers };
        match self.execute_at(places, code, index, vector_core) {
            Ok(_) => {
                if observed {
                    self.tell_work(core, function, index, stage.given(), News::End);
                }
                Ok(())
            }
            Err(Stop::Fault(fault)) => Err(Stop::Found(vec![self.faulty(code, index, fault)])),
            Err(other) => Err(other),
        }
    }

    /// Inlined, because a wide read of `places` would stall on the narrow writes that created it.
    #[inline(always)]
    fn execute_at(
        &mut self,
        places: Places<'_>,
        code: &FunctionCode,
        index: usize,
        vector_core: u32,
    ) -> Result<bool, Stop> {
        let step = &code.tiles[index];
        let map = &self.program.map;
        let mut polls = false;
        let Places { memory, tiles, views, scalars, scratch, registers } = places;
        if !step.accumulators.is_empty() {
            self.take_accumulators(registers, tiles, &step.accumulators, code, step.operation)?;
        }
        let mut state = State {
            memory,
            tiles,
            views,
            scalars,
            global: &mut self.state.global,
            buffers: &map.base,
            vector_offset: vector_core as usize * map.vector_stride,
            vector_stride: map.vector_stride,
            scratch,
            spare: map.spare.0..map.spare.1,
            index_unit: self.options.tconcat_index,
            division_by_zero: self.options.on_division_by_zero,
            registers,
            printed: &mut self.state.outcome.printed,
            lint: None,
            polls: &mut polls,
        };
        if self.options.by_formula {
            by_formula(self.program, code, index, &mut state)?;
        } else {
            let done = step.execute.execute(&mut state);
            if let Some((rule, message)) = state.lint {
                self.note_lint(code, index, rule, message);
            }
            done?;
        }
        // A failed test changes nothing, either.
        self.state.changes += u64::from(step.changes && !polls);
        Ok(polls)
    }

    /// Runs an instruction of a measuring launch, which has no memory: only address computations and accesses by pointers.
    fn measure_tile(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<(), Stop> {
        let footprint = &code.tiles[index].footprint;
        if footprint.touches.is_empty() && !footprint.names_global {
            return self.execute(core, &frame, code, index).map(drop);
        }
        let mut ends = Vec::new();
        for touch in footprint.touches.iter().filter(|touch| touch.is_pointed() || touch.is_reordered()) {
            core.operands(self.program, frame, &self.state.global).ranges(touch, &mut |space, range| {
                if let Space::Global(buffer) = space {
                    ends.push((buffer as usize, range.end()));
                }
            });
        }
        for (buffer, end) in ends {
            self.state.reach.iter_mut().for_each(|reach| reach[buffer] = reach[buffer].max(end));
        }
        if !footprint.touches.iter().any(Touch::is_pointed) {
            // Signals from other ranks count as sent.
            if let Some(slot) = footprint.seen() {
                core.scalars[frame.scalars + slot as usize] = 1;
            }
            return Ok(());
        }
        match self.execute(core, &frame, code, index) {
            // Reads return zero.
            Err(Stop::Fault(Fault::OutOfBounds(_))) => {
                if let Some(slot) = footprint.result {
                    core.scalars[frame.scalars + slot as usize] = 0;
                }
                Ok(())
            }
            other => other.map(drop),
        }
    }

    /// Records that a pointer accesses the byte at `address` of some buffer.
    pub(in crate::sim::machine) fn note_reach(&mut self, pointer: u64, address: u64) {
        let (Some((buffer, _)), Some((same, offset))) =
            (self.state.global.locate(pointer), self.state.global.locate(address))
        else {
            return;
        };
        if buffer == same
            && let Some(reach) = self.state.reach.as_mut()
        {
            reach[buffer] = reach[buffer].max(offset + 1);
        }
    }
}
