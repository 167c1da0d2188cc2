//! Conflicts as data, for timelines.

use crate::observe::words::operand::Operand;
use crate::sim::Program;
use crate::sim::event::{CoreId, Place};
use crate::sim::part::Part;
use pto_isa::memory::Buffer;
use pto_isa::pipe::Pipe;
use pto_isa::rule::Rule;
use pto_isa::strided_range::StridedRange;

/// Bytes of a buffer of a block that both accesses touch: from the first common byte to the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConflictBytes {
    /// The buffer; `None` for tiles to which the program gives no address.
    pub buffer: Option<Buffer>,
    /// The vector core, for UB.
    pub vector_core: Option<u64>,
    /// First byte.
    pub address: u64,
    /// Number of bytes.
    pub bytes: u64,
}

/// One access of a conflict.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The operation.
    pub at: Place,
    pub(crate) operand: u16,
    /// The core.
    pub core: CoreId,
    /// The pipe that accesses.
    pub pipe: Pipe,
    /// Whether it writes.
    pub writes: bool,
    /// Which run of the operation on its core, from 1.
    pub run: u32,
}

impl Side {
    /// Name of the operand, without `%`.
    pub fn name(&self, program: &Program) -> String {
        let operand = Operand::of(program, self.at, self.operand);
        operand.map_or_else(String::new, |operand| operand.name().to_owned())
    }
}

/// Two conflicting accesses.
#[derive(Clone, Debug)]
pub struct Found {
    /// The rule that the accesses break.
    pub rule: &'static Rule,
    /// The earlier access first.
    pub sides: [Side; 2],
    /// The bytes that both touch, in the memory of a block; `None` in global memory.
    pub(crate) common: Option<StridedRange>,
    /// Number of occurrences.
    pub count: u64,
}

impl Found {
    /// The bytes that both accesses touch, in their buffer.
    pub fn bytes(&self, program: &Program) -> Option<ConflictBytes> {
        let range = self.common?;
        let (part, first) = Part::of(program.map(), range.start);
        let (buffer, vector_core) = match part {
            Part::Cube(buffer) => (Some(buffer), None),
            Part::Ub(core) => (Some(Buffer::Ub), Some(core)),
            Part::AutomaticUb(core) => (None, Some(core)),
            Part::Automatic => (None, None),
        };
        Some(ConflictBytes {
            buffer,
            vector_core,
            address: range.start - first,
            bytes: range.end() - range.start,
        })
    }
}

/// The bytes from the first to the last one that two ranges have in common.
pub(in crate::observe) fn common(one: &StridedRange, other: &StridedRange) -> StridedRange {
    let (start, end) = (one.start.max(other.start), one.end().min(other.end()));
    StridedRange::bytes(start, end.saturating_sub(start))
}
