//! Accumulators whose writer and reader place column blocks at different pitches.

use super::super::code::FunctionCode;
use super::Machine;
use super::report::operation_of;
use super::step::Stop;
use pto_isa::diag::Diagnostic;
use pto_isa::exec::registers::{Registers, WrittenAccumulator};
use pto_isa::exec::state::Live;
use pto_isa::op::acc_pitch::BLOCK;
use pto_isa::rule::RuleId;
use pto_isa::rules;
use pto_lang::ir::{FunctionId, OperationId};

impl Machine<'_> {
    /// Compares the pitch of the accumulators that an instruction reads with that of their writers, and notes those that it writes.
    #[inline(never)]
    pub(super) fn take_accumulators(
        &self,
        registers: &mut Registers,
        tiles: &[Live],
        (code, index): (&FunctionCode, usize),
    ) -> Result<(), Stop> {
        for of in &code.tiles[index].accumulators {
            let live = tiles[of.tile.slot as usize];
            let rows = tiles[of.rows_of as usize].rows;
            if rows == 0 {
                continue;
            }
            let pitch = of.of.rows.number(of.tile.layout.rows as u32, rows);
            let bytes = live.address..live.address + of.tile.bytes();
            if of.of.writes {
                let function = code.id.unwrap_or(self.program.entry());
                let writer = [function.index(), code.tiles[index].operation.index()];
                registers.accumulators.write(WrittenAccumulator { bytes, pitch, writer });
            } else if let Some(written) = registers.accumulators.writer(&bytes)
                && written.pitch != pitch
                && live.cols > BLOCK
            {
                return Err(Stop::Found(vec![self.pitches_differ(written, pitch, (code, index))]));
            }
        }
        Ok(())
    }

    fn pitches_differ(
        &self,
        written: &WrittenAccumulator,
        pitch: u32,
        (code, index): (&FunctionCode, usize),
    ) -> Diagnostic {
        let [function, at] = written.writer;
        let function = &self.program.module.functions[FunctionId::from_index(function)];
        let writer = &function.operations[OperationId::from_index(at)];
        let reader = operation_of(self.program, code, index);
        let message = format!(
            "`{}` takes the column blocks of the accumulator at a pitch of {pitch} rows, and `{}` has written them at a pitch of {}",
            reader.name, writer.name, written.pitch
        );
        let rule = RuleId::from(&rules::mem::ACCUMULATOR_PITCH);
        Diagnostic::error(rule, message)
            .at(reader.span)
            .with_label(writer.span, format!("written here, with {} rows from block to block", written.pitch))
            .with_note("at run time")
    }
}
