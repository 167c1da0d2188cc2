//! Memory map of a block: its buffers, then the automatically placed tiles.

use super::super::code::MemoryMap;
use super::DecodeError;
use pto_isa::diag::Diagnostic;
use pto_isa::memory::Buffer;
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use pto_isa::rules;
use pto_lang::ir::{FunctionId, Module, Operation, OperationId, Type};
use std::collections::HashMap;

/// Alignment of automatically placed tiles in bytes.
const AUTOMATIC_ALIGNMENT: usize = 64;
/// Padding between buffers in bytes. Without it, equal offsets in several buffers would differ by a multiple of
/// 4096 bytes, and a core would mistake a load for one of bytes that it has just stored (4K aliasing).
const STAGGER: usize = 576;
/// Maximum size of a block's memory in bytes.
const MAX_BYTES: usize = 1 << 30;

fn too_large(operation: &Operation) -> DecodeError {
    let message = "the tiles of this program take more than a gigabyte";
    vec![Diagnostic::error(&rules::alloc_tile::TOTAL_CAPACITY, message).at(operation.span)]
}

/// The memory map of a block, and the addresses of automatically placed tiles.
pub(super) struct Placement {
    pub(super) map: MemoryMap,
    automatic: HashMap<(FunctionId, OperationId), (usize, bool)>,
}

impl Placement {
    /// Assigns an address to every tile of these functions that has none.
    ///
    /// # Errors
    /// If the tiles take more than 1 GB.
    pub(super) fn of(
        module: &Module,
        functions: &[FunctionId],
        profile: Profile,
    ) -> Result<Placement, DecodeError> {
        let (mut vector, mut cube, mut largest) = (0usize, 0usize, 0usize);
        let mut automatic = HashMap::new();
        for &id in functions {
            let function = &module.functions[id];
            for (operation_id, operation) in function.operations.iter() {
                if operation.is(Op::RESERVE_BUFFER) && super::queue::is_automatic(operation) {
                    let (buffer, bytes) = super::queue::reserved(operation);
                    if bytes > MAX_BYTES {
                        return Err(too_large(operation));
                    }
                    let in_vector = buffer == Buffer::Ub;
                    let end = if in_vector { &mut vector } else { &mut cube };
                    automatic.insert((id, operation_id), (*end, in_vector));
                    *end = (*end + bytes).next_multiple_of(AUTOMATIC_ALIGNMENT);
                    continue;
                }
                let tile = operation.results.first().map(|result| &module.types[function.values[*result].ty]);
                let (buffer, bytes) = match tile {
                    Some(Type::Tile(tile)) => (tile.buffer(), tile.bytes()),
                    Some(Type::MultiTile { tile, count }) => {
                        (tile.buffer(), tile.bytes().saturating_mul(*count as usize))
                    }
                    Some(Type::ConvTile(tile)) => {
                        (tile.buffer(), usize::try_from(tile.bytes()).unwrap_or(usize::MAX))
                    }
                    _ => continue,
                };
                if bytes > MAX_BYTES {
                    return Err(too_large(operation));
                }
                largest = largest.max(bytes);
                if !operation.meaning().makes_tile() || operation.operand("addr").is_some() {
                    continue;
                }
                let in_vector = buffer == Buffer::Ub;
                let end = if in_vector { &mut vector } else { &mut cube };
                automatic.insert((id, operation_id), (*end, in_vector));
                *end = (*end + bytes).next_multiple_of(AUTOMATIC_ALIGNMENT);
                if *end > MAX_BYTES {
                    return Err(too_large(operation));
                }
            }
        }
        let mut map = MemoryMap::default();
        let capacity = |buffer: Buffer| profile.capacity(buffer) as usize;
        map.automatic_vector = capacity(Buffer::Ub);
        map.vector_stride = map.automatic_vector + vector;
        let mut end = 2 * map.vector_stride;
        for buffer in Buffer::ALL.into_iter().filter(|buffer| *buffer != Buffer::Ub) {
            map.base[buffer as usize] = end;
            end += capacity(buffer) + STAGGER;
        }
        map.automatic = end;
        end += cube;
        // Space for copies of up to four sources, and lines in several element types.
        let spare = 6 * largest + 8 * 4096 + 1024;
        map.spare = (end, end + spare);
        map.bytes = end + spare;
        Ok(Placement { map, automatic })
    }

    /// The address of an automatically placed tile.
    pub(super) fn automatic(&self, function: FunctionId, operation: OperationId) -> Option<usize> {
        let (offset, in_vector) = self.automatic.get(&(function, operation))?;
        Some(offset + if *in_vector { self.map.automatic_vector } else { self.map.automatic })
    }
}
