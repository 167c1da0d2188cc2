//! Accumulators whose writer and reader place column blocks at different pitches.

use super::super::code::{AccumulatorUse, FunctionCode};
use super::Machine;
use super::step::Stop;
use pto_isa::diag::Diagnostic;
use pto_isa::exec::registers::{Registers, WrittenAccumulator};
use pto_isa::exec::state::Live;
use pto_isa::op::acc_pitch::BLOCK;
use pto_lang::check::accumulators::{Pitched, pitches_differ};
use pto_lang::ir::{FunctionId, OperationId};

impl Machine<'_> {
    /// Compares the pitch of the accumulators that an instruction reads with the pitch of their writers, and records
    /// the accumulators that it writes.
    #[inline(never)]
    pub(super) fn take_accumulators(
        &self,
        registers: &mut Registers,
        tiles: &[Live],
        uses: &[AccumulatorUse],
        code: &FunctionCode,
        operation: OperationId,
    ) -> Result<(), Stop> {
        for of in uses {
            let live = tiles[of.tile.slot as usize];
            let rows = tiles[of.rows_of as usize].rows;
            if rows == 0 {
                continue;
            }
            let pitch = of.of.rows.number(of.tile.layout.rows as u32, rows);
            let bytes = live.address..live.address + of.tile.bytes();
            if of.of.writes {
                let function = code.id.unwrap_or(self.program.entry());
                let writer = [function.index(), operation.index()];
                registers.accumulators.write(WrittenAccumulator { bytes, pitch, writer });
            } else if let Some(written) = registers.accumulators.writer(&bytes)
                && written.pitch != pitch
                && live.cols > BLOCK
            {
                return Err(Stop::Found(vec![self.pitches_differ(written, pitch, code, operation)]));
            }
        }
        Ok(())
    }

    fn pitches_differ(
        &self,
        written: &WrittenAccumulator,
        pitch: u32,
        code: &FunctionCode,
        operation: OperationId,
    ) -> Diagnostic {
        let [function, at] = written.writer;
        let function = &self.program.module.functions[FunctionId::from_index(function)];
        let writer = &function.operations[OperationId::from_index(at)];
        let own = &self.program.module.functions[code.id.unwrap_or(self.program.entry())];
        let reader = &own.operations[operation];
        let read = Pitched { operation: reader, pitch };
        let write = Pitched { operation: writer, pitch: written.pitch };
        pitches_differ(read, write).with_note("at run time")
    }
}
