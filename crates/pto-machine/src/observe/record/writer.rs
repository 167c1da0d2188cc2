//! The last instruction that wrote a byte of global memory.

use crate::observe::words::{name_of, span_of};
use crate::sim::event::{CoreId, Event, Place, What, Work};
use crate::sim::operands::Space;
use crate::sim::{Needs, Observe, Printed, Program};
use pto_isa::strided_range::StridedRange;
use std::collections::BTreeMap;

/// A write to global memory.
#[derive(Clone, Debug)]
pub struct Writer {
    /// The operation.
    pub span: pto_isa::diag::Span,
    /// Name of the operation, with the prefix `pto.`.
    pub name: String,
    /// The rank that ran the operation.
    pub rank: u32,
    /// The block that ran the operation.
    pub block: u32,
}

impl Writer {
    fn of(program: &Program, core: CoreId, at: Place) -> Writer {
        let (span, name) = (span_of(program, at), format!("pto.{}", name_of(program, at)));
        Writer { span, name, rank: core.rank, block: core.block }
    }
}

/// The bytes of global memory that an instruction writes, with their buffers.
fn written<'a>(work: &'a Work<'_>) -> impl Iterator<Item = (u32, StridedRange)> + 'a {
    work.touched.iter().filter(|touched| touched.touch.access.changes()).filter_map(|touched| {
        match touched.space {
            Space::Global(buffer) => Some((buffer, touched.range)),
            Space::Chip(..) => None,
        }
    })
}

/// Finds the last tile instruction that writes one byte.
pub struct Tracer {
    buffer: u32,
    byte: u64,
    writer: Option<Writer>,
}

impl Tracer {
    /// A tracer of a byte of a buffer, counted among buffer arguments.
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
        let mut writes = written(work);
        if writes.any(|(buffer, range)| buffer == self.buffer && range.common(&byte).is_some()) {
            self.writer = Some(Writer::of(program, event.core, event.at));
        }
    }
}

/// Maximum number of writes that [`Writes`] keeps.
const MOST: usize = 1 << 22;

/// All writes of tile instructions to global memory, for a launch that cannot run again once the byte in question is
/// known.
#[derive(Default)]
pub struct Writes {
    writers: Vec<Writer>,
    numbers: BTreeMap<(Place, CoreId), u32>,
    /// Buffer, bytes and index of the writer, in the order of the run.
    list: Vec<(u32, StridedRange, u32)>,
    is_cut: bool,
}

impl Writes {
    /// The last write of a byte of a buffer, counted among buffer arguments. `None` if it is not known since there were too many
    /// writes; `None` within if no tile instruction wrote the byte.
    pub fn last(&self, buffer: usize, byte: u64) -> Option<Option<&Writer>> {
        let byte = StridedRange::bytes(byte, 1);
        let is_of = |(of, range, _): &&(u32, StridedRange, u32)| {
            *of as usize == buffer && range.common(&byte).is_some()
        };
        (!self.is_cut)
            .then(|| self.list.iter().rev().find(is_of).map(|(.., writer)| &self.writers[*writer as usize]))
    }

    /// The instructions that wrote, each once for each block.
    pub fn writers_mut(&mut self) -> &mut [Writer] {
        &mut self.writers
    }
}

impl Observe for Writes {
    fn needs(&self) -> Needs {
        Needs::ACCESSES.or(Needs::ENDS)
    }

    fn see(&mut self, program: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        let What::End(work) = &event.what else { return };
        for (buffer, range) in written(work) {
            if self.list.len() == MOST {
                self.is_cut = true;
                return;
            }
            let writers = &mut self.writers;
            let number = *self.numbers.entry((event.at, event.core)).or_insert_with(|| {
                writers.push(Writer::of(program, event.core, event.at));
                writers.len() as u32 - 1
            });
            self.list.push((buffer, range, number));
        }
    }
}
