//! Tile instructions in the running loop: checked where values changed, executed, or measured.

use super::super::code::FunctionCode;
use super::report::{by_formula, operation_of};
use super::step::Stop;
use super::{Core, Frame, Machine};
use crate::isa::op::state::{Fault, Slot, State};

impl Machine<'_> {
    pub(super) fn tile(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<(), Stop> {
        let step = &code.tiles[index];
        if self.reach.is_some() {
            return self.measure_tile(core, frame, code, index);
        }
        let tiles = &core.tiles[frame.tiles..];
        let seen = &core.seen[frame.function][step.seen as usize..];
        // A formula says what it computes, not what it needs: its rules are checked each time.
        let changed = self.options.by_formula
            || step.watched.iter().zip(seen).any(|(slot, seen)| tiles[*slot as usize] != *seen);
        if changed {
            self.check_now(core, frame, code, index)?;
            let tiles = &core.tiles[frame.tiles..];
            let seen = &mut core.seen[frame.function][step.seen as usize..];
            for (slot, seen) in step.watched.iter().zip(seen) {
                *seen = tiles[*slot as usize];
            }
        }
        let turn = self.execute(core, frame, code, index)?;
        self.outcome.instructions += 1;
        if frame.function == 0 {
            self.outcome.executed[step.operation.index()] += 1;
        }
        if let Some(watch) = &mut self.watch {
            watch.instruction(self.program, core, frame, code, (index, &self.global));
        }
        if !self.options.dumps.is_empty() || self.options.trace.is_some() {
            self.after(core, frame, code, index);
        }
        if turn { Err(Stop::Turn) } else { Ok(()) }
    }

    /// Runs an instruction. Says whether others may go on before the next one.
    fn execute(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<bool, Stop> {
        let step = &code.tiles[index];
        let map = &self.program.map;
        let mut turn = false;
        let mut state = State {
            memory: &mut core.memory,
            tiles: &mut core.tiles[frame.tiles..],
            views: &core.views[frame.views..],
            scalars: &mut core.scalars[frame.scalars..],
            global: &mut self.global,
            buffers: &map.base,
            vector_offset: core.vector_core as usize * map.vector_stride,
            vector_stride: map.vector_stride,
            scratch: &mut core.scratch,
            spare: map.spare.0..map.spare.1,
            index_unit: self.options.tconcat_index,
            registers: &mut core.registers,
            printed: &mut self.outcome.printed,
            lint: None,
            turn: &mut turn,
        };
        if self.options.by_formula {
            by_formula(self.program, code, index, &mut state)?;
            return Ok(turn);
        }
        let done = step.execute.execute(&mut state);
        if let Some(lint) = state.lint.take() {
            self.note_lint(code, index, lint);
        }
        done?;
        Ok(turn)
    }

    /// In a measuring launch only the scalar unit runs.
    fn measure_tile(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<(), Stop> {
        let operation = operation_of(self.program, code, index);
        let scalar_memory = match operation.name.as_str() {
            "pto.load_scalar" | "pto.store_scalar" => Some(()),
            _ => None,
        };
        if scalar_memory.is_none() {
            let scalar_only = matches!(
                operation.name.as_str(),
                "pto.set_validshape" | "pto.get_validshape" | "pto.tile_buf_addr" | "pto.subview"
            );
            if scalar_only {
                return self.execute(core, frame, code, index).map(drop);
            }
            // A signal that others would send counts as sent.
            let result = code.tiles[index].slots.get(operation.operands.len());
            if let ("pto.comm.ttest", Some(Slot::Scalar(slot))) = (operation.name.as_str(), result) {
                core.scalars[frame.scalars + *slot as usize] = 1;
            }
            return Ok(());
        }
        let step = &code.tiles[index];
        let role = |role: &str| {
            let at = operation.operands.iter().position(|operand| operand.role == role)?;
            match step.slots[at] {
                Slot::Scalar(slot) => Some(core.scalars[frame.scalars + slot as usize]),
                _ => None,
            }
        };
        let (pointer, offset) = (role("pointer").unwrap_or(0), role("offset").unwrap_or(0));
        let function = &self.program.module.functions[code.id.unwrap_or(self.program.entry())];
        let ty = operation.operand("pointer").map(|operand| function.values[operand.value].ty);
        let bytes = match ty.map(|ty| &self.program.module.types[ty]) {
            Some(crate::ir::Type::Pointer { element, .. }) => u64::from(element.element().bits()).div_ceil(8),
            _ => 1,
        };
        let end = pointer.wrapping_add(offset.wrapping_add(1).wrapping_mul(bytes));
        self.note_reach(pointer, end.wrapping_sub(1));
        match self.execute(core, frame, code, index) {
            // What is not there yet reads as zero.
            Err(Stop::Fault(Fault::OutOfBounds(_))) => {
                if let Some(Slot::Scalar(slot)) = step.slots.get(operation.operands.len()) {
                    core.scalars[frame.scalars + *slot as usize] = 0;
                }
                Ok(())
            }
            other => other.map(drop),
        }
    }

    /// Notes that the byte at `address` is reached through a pointer into some buffer.
    pub(super) fn note_reach(&mut self, pointer: u64, address: u64) {
        let (Some((buffer, _)), Some((same, offset))) =
            (self.global.locate(pointer), self.global.locate(address))
        else {
            return;
        };
        if buffer == same
            && let Some(reach) = self.reach.as_mut()
        {
            reach[buffer] = reach[buffer].max(offset + 1);
        }
    }
}
