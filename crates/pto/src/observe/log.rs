//! A line for every tile instruction: what it wrote, as a hash, so that two runs can be compared.

use super::Observer;
use super::words::{name_of, span_of};
use crate::diag::Span;
use crate::isa::op::effect::Access;
use crate::isa::pipe::Pipe;
use crate::sim::event::{CoreId, Event, Place, What, Work};
use crate::sim::region::Region;
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
    /// Where the instruction stands.
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
    /// Adds the bytes of a region of a memory.
    fn add(&mut self, region: &Region, memory: &[u8]) {
        for (start, length) in region.runs() {
            let (start, end) = (start as usize, (start + length) as usize);
            for byte in memory.get(start..end).unwrap_or_default() {
                self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
            self.bytes += length;
        }
    }
}

/// Writes the log of a run.
#[derive(Default)]
pub(super) struct Log {
    entries: Vec<LogEntry>,
}

impl Log {
    fn instruction(&mut self, program: &Program, core: CoreId, at: Place, work: &Work<'_>) {
        let mut written = Digest::default();
        let results = |access| matches!(access, Access::Write | Access::PartialWrite);
        for touched in work.touched.iter().filter(|touched| results(touched.touch.access)) {
            written.add(&touched.region, work.memory.bytes(touched.space));
        }
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
