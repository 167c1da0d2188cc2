//! A line for every tile instruction: what it wrote, as a hash, so that two runs can be compared.

use super::super::code::Program;
use super::super::machine::Core;
use crate::diag::Span;
use crate::isa::pipe::Pipe;
use crate::sim::region::Region;

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
pub(super) struct Digest {
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
    pub(super) fn add(&mut self, region: &Region, memory: &[u8]) {
        for (start, length) in region.runs() {
            let (start, end) = (start as usize, (start + length) as usize);
            for byte in memory.get(start..end).unwrap_or_default() {
                self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
            self.bytes += length;
        }
    }

    pub(super) fn entry(
        &self,
        program: &Program,
        core: &Core,
        pipe: Pipe,
        (function, operation): (u32, u32),
    ) -> LogEntry {
        let span = super::words::span_of(program, (function, operation));
        let kind = match core.kind {
            super::CoreKind::Whole => "core",
            super::CoreKind::Cube => "cube",
            super::CoreKind::Vector(_) => "vector",
        };
        let (rank, block, vector_core) = (core.rank, core.block, core.vector_core);
        let operation = (function, operation);
        LogEntry {
            rank,
            block,
            core: kind,
            vector_core,
            pipe,
            span,
            operation,
            bytes: self.bytes,
            hash: self.hash,
        }
    }
}

impl Program {
    /// The name of the instruction of a log's entry, such as `tadd`.
    pub fn name_in_log(&self, entry: &LogEntry) -> &str {
        super::words::name_of(self, entry.operation)
    }
}
