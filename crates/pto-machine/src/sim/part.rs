//! The parts of a block's memory: on-chip buffers, and room for tiles that the machine places.

use super::code::MemoryMap;
use pto_isa::memory::Buffer;

/// A part of a block's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// A buffer of the cube core.
    Cube(Buffer),
    /// UB of a vector core.
    Ub(u64),
    /// Tiles in UB that the machine placed, and their vector core.
    AutomaticUb(u64),
    /// Tiles that the machine placed elsewhere.
    Automatic,
}

impl Part {
    /// The part that contains a byte of a block's memory, and its first byte.
    pub fn of(map: &MemoryMap, byte: u64) -> (Part, u64) {
        let stride = map.vector_stride as u64;
        if stride > 0 && byte < 2 * stride {
            let (core, first) = (byte / stride, byte / stride * stride);
            let automatic = first + map.automatic_vector as u64;
            return match byte >= automatic {
                true => (Part::AutomaticUb(core), automatic),
                false => (Part::Ub(core), first),
            };
        }
        if byte >= map.automatic as u64 {
            return (Part::Automatic, map.automatic as u64);
        }
        let bases = Buffer::ALL.into_iter().zip(map.base).filter(|(buffer, _)| *buffer != Buffer::Ub);
        let found = bases.filter(|(_, base)| *base as u64 <= byte).max_by_key(|(_, base)| *base);
        found.map_or((Part::Automatic, 0), |(buffer, base)| (Part::Cube(buffer), base as u64))
    }
}
