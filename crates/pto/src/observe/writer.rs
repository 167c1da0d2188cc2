//! The last instruction that wrote a byte of global memory.

use super::words::{name_of, span_of};
use super::{Needs, Observer};
use crate::isa::strided_range::StridedRange;
use crate::sim::event::{Event, What};
use crate::sim::operands::Space;
use crate::sim::{Outcome, Printed, Program, Writer};

/// Finds the last write of one byte.
pub(super) struct Tracer {
    buffer: u32,
    byte: u64,
    writer: Option<Writer>,
}

impl Tracer {
    /// For a byte of a buffer, counted among buffer arguments.
    pub(super) fn new(buffer: usize, byte: u64) -> Tracer {
        Tracer { buffer: buffer as u32, byte, writer: None }
    }
}

impl Observer for Tracer {
    fn needs(&self) -> Needs {
        Needs { accesses: true, ends: true }
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

    fn finish(self: Box<Self>, _: &Program, outcome: &mut Outcome) {
        outcome.writer = self.writer;
    }
}
