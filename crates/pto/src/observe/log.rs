//! The log: a line for every tile instruction, or for each of its transfers, with a hash of the written bytes, so that two
//! runs can be compared.

use super::Observer;
use super::words::{name_of, operation_at, span_of};
use crate::diag::Span;
use crate::isa::op::effect::Access;
use crate::isa::pipe::Pipe;
use crate::sim::event::{CoreId, Event, Place, Touched, What, Work};
use crate::sim::{CoreKind, Outcome, Printed, Program};

/// A tile instruction that has run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// The rank that ran it.
    pub rank: u32,
    /// The block.
    pub block: u32,
    /// The core: `core`, `cube`, or `vector` with a number.
    pub core: &'static str,
    /// The number of the vector core.
    pub vector_core: u32,
    /// The pipe.
    pub pipe: Pipe,
    /// Source location of the instruction.
    pub span: Span,
    /// Its name, without the dialect's prefix: a part of the program's text.
    pub operation: (u32, u32),
    /// Bytes that it wrote.
    pub bytes: u64,
    /// FNV-1a of 64 bits over those bytes, in the order of its operands.
    pub hash: u64,
}

/// The hash of bytes that were written.
struct Digest {
    hash: u64,
    bytes: u64,
}

impl Default for Digest {
    fn default() -> Digest {
        Digest { hash: 0xcbf2_9ce4_8422_2325, bytes: 0 }
    }
}

impl Digest {
    /// Adds some bytes of a memory.
    fn add(&mut self, start: u64, length: u64, memory: &[u8]) {
        for byte in memory.get(start as usize..(start + length) as usize).unwrap_or_default() {
            self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        self.bytes += length;
    }
}

/// Number of device transfers of an instruction.
fn transfers(program: &Program, at: Place) -> usize {
    let operation = operation_at(program, at).map(|(_, operation)| operation);
    operation.and_then(|it| Some(it.instruction()?.transfers(&it.attributes))).unwrap_or(1)
}

/// Writes the log of a run.
#[derive(Default)]
pub(super) struct Log {
    entries: Vec<LogEntry>,
}

impl Log {
    fn instruction(&mut self, program: &Program, core: CoreId, at: Place, work: &Work<'_>) {
        let results =
            |touched: &&Touched| matches!(touched.touch.access, Access::Write | Access::PartialWrite);
        let runs = work.touched.iter().filter(results).flat_map(|touched| {
            let memory = work.memory.bytes(touched.space);
            touched.range.runs().map(move |(start, length)| (start, length, memory))
        });
        match transfers(program, at) {
            1 => self.line(program, core, (at, work), runs),
            // Each transfer copies its share of the columns of boxes, which are the runs.
            several => {
                let runs: Vec<_> = runs.collect();
                let share = runs.len().div_ceil(several).max(1);
                for part in runs.chunks(share) {
                    self.line(program, core, (at, work), part.iter().copied());
                }
            }
        }
    }

    /// Writes one line, for runs of written bytes.
    fn line<'m>(
        &mut self,
        program: &Program,
        core: CoreId,
        (at, work): (Place, &Work<'_>),
        runs: impl Iterator<Item = (u64, u64, &'m [u8])>,
    ) {
        let mut written = Digest::default();
        runs.for_each(|(start, length, memory)| written.add(start, length, memory));
        let kind = match core.kind {
            CoreKind::Whole => "core",
            CoreKind::Cube => "cube",
            CoreKind::Vector(_) => "vector",
        };
        let CoreId { rank, block, vector_core, .. } = core;
        self.entries.push(LogEntry {
            rank,
            block,
            core: kind,
            vector_core,
            pipe: work.phases.last().copied().unwrap_or(Pipe::Scalar),
            span: span_of(program, at),
            operation: (at.function, at.operation),
            bytes: written.bytes,
            hash: written.hash,
        });
    }
}

impl Observer for Log {
    fn see(&mut self, program: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        if let What::End(work) = &event.what {
            self.instruction(program, event.core, event.at, work);
        }
    }

    fn finish(self: Box<Self>, _: &Program, outcome: &mut Outcome) {
        outcome.log = self.entries;
    }
}

impl Program {
    /// The name of the instruction of a log's entry, such as `tadd`.
    pub fn name_in_log(&self, entry: &LogEntry) -> &str {
        let (function, operation) = entry.operation;
        name_of(self, Place { function, operation })
    }
}
