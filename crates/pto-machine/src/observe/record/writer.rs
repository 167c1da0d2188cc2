//! The last instruction that wrote a byte of global memory.

use crate::observe::words::{name_of, span_of};
use crate::sim::event::{Event, What};
use crate::sim::operands::Space;
use crate::sim::{Needs, Observe, Printed, Program};
use pto_isa::strided_range::StridedRange;

/// A write to global memory.
#[derive(Clone, Debug)]
pub struct Writer {
    /// The operation.
    pub span: pto_isa::diag::Span,
    /// Its name.
    pub name: String,
    /// The rank that ran it.
    pub rank: u32,
    /// The block that ran it.
    pub block: u32,
}

/// Finds the last tile instruction that writes one byte.
pub struct Tracer {
    buffer: u32,
    byte: u64,
    writer: Option<Writer>,
}

impl Tracer {
    /// For a byte of a buffer, counted among buffer arguments.
    pub fn new(buffer: usize, byte: u64) -> Tracer {
        Tracer { buffer: buffer as u32, byte, writer: None }
    }

    /// The last write.
    pub fn into_writer(self) -> Option<Writer> {
        self.writer
    }
}

impl Observe for Tracer {
    fn needs(&self) -> Needs {
        Needs::ACCESSES.or(Needs::ENDS)
    }

    fn see(&mut self, program: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        let What::End(work) = &event.what else { return };
        let byte = StridedRange::bytes(self.byte, 1);
        let wrote = work.touched.iter().any(|touched| {
            touched.space == Space::Global(self.buffer)
                && touched.touch.access.changes()
                && touched.range.common(&byte).is_some()
        });
        if wrote {
            let name = format!("pto.{}", name_of(program, event.at));
            let (rank, block) = (event.core.rank, event.core.block);
            self.writer = Some(Writer { span: span_of(program, event.at), name, rank, block });
        }
    }
}
