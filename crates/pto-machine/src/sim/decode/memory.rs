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

/// The tiles without addresses of all functions, with their places in the area for such tiles, which follows the
/// buffers.
#[derive(Default)]
struct Automatic {
    places: HashMap<(FunctionId, OperationId), (usize, bool)>,
    /// Bytes of that area in use: in the memory of a vector core, and elsewhere.
    vector: usize,
    cube: usize,
    /// Size of the largest tile.
    largest: usize,
}

impl Automatic {
    /// Places the tiles of functions after the tiles placed so far.
    fn add(&mut self, module: &Module, functions: &[FunctionId]) -> Result<(), DecodeError> {
        for &id in functions {
            for (operation_id, operation) in module.functions[id].operations.iter() {
                self.tile_of(module, id, operation_id, operation)?;
            }
        }
        Ok(())
    }

    fn tile_of(
        &mut self,
        module: &Module,
        id: FunctionId,
        at: OperationId,
        operation: &Operation,
    ) -> Result<(), DecodeError> {
        if operation.is(Op::RESERVE_BUFFER) && super::queue::is_automatic(operation) {
            let (buffer, bytes) = super::queue::reserved(operation);
            return self.place((id, at), operation, buffer, bytes);
        }
        let result = operation.results.first();
        let tile = result.map(|result| &module.types[module.functions[id].values[*result].ty]);
        let Some((buffer, bytes)) = tile.and_then(room_of) else { return Ok(()) };
        if bytes > MAX_BYTES {
            return Err(too_large(operation));
        }
        self.largest = self.largest.max(bytes);
        if !operation.meaning().makes_tile() || operation.operand("addr").is_some() {
            return Ok(());
        }
        self.place((id, at), operation, buffer, bytes)
    }

    fn place(
        &mut self,
        at: (FunctionId, OperationId),
        operation: &Operation,
        buffer: Buffer,
        bytes: usize,
    ) -> Result<(), DecodeError> {
        let in_vector = buffer == Buffer::Ub;
        let end = if in_vector { &mut self.vector } else { &mut self.cube };
        if bytes > MAX_BYTES || *end + bytes > MAX_BYTES {
            return Err(too_large(operation));
        }
        self.places.insert(at, (*end, in_vector));
        *end = (*end + bytes).next_multiple_of(AUTOMATIC_ALIGNMENT);
        Ok(())
    }
}

/// The buffer of the tiles of a type, and their size in bytes.
fn room_of(ty: &Type) -> Option<(Buffer, usize)> {
    Some(match ty {
        Type::Tile(tile) => (tile.buffer(), tile.bytes()),
        Type::MultiTile { tile, count } => (tile.buffer(), tile.bytes().saturating_mul(*count as usize)),
        Type::ConvTile(tile) => (tile.buffer(), usize::try_from(tile.bytes()).unwrap_or(usize::MAX)),
        _ => return None,
    })
}

impl MemoryMap {
    /// The map with `vector` bytes for automatically placed tiles in the memory of each vector core, `cube` bytes
    /// elsewhere, and spare memory for copies of a tile of `largest` bytes.
    pub(in crate::sim) fn with_room(
        profile: Profile,
        vector: usize,
        cube: usize,
        largest: usize,
    ) -> MemoryMap {
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
        map
    }
}

/// The memory map of a block, and the addresses of automatically placed tiles.
pub(super) struct Placement {
    pub(super) map: MemoryMap,
    automatic: Automatic,
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
        let mut automatic = Automatic::default();
        automatic.add(module, functions)?;
        let map = MemoryMap::with_room(profile, automatic.vector, automatic.cube, automatic.largest);
        Ok(Placement { map, automatic })
    }

    /// Assigns an address in an existing map to every tile of a function that has none. `room`: bytes in use of the
    /// area for such tiles, in the memory of a vector core and elsewhere; updated.
    ///
    /// # Errors
    /// If the area is too small.
    pub(super) fn within(
        map: MemoryMap,
        room: &mut [usize; 2],
        module: &Module,
        function: FunctionId,
    ) -> Result<Placement, DecodeError> {
        let mut automatic = Automatic { vector: room[0], cube: room[1], ..Automatic::default() };
        automatic.add(module, &[function])?;
        let [vector, cube] = map.automatic_room();
        if automatic.vector > vector || automatic.cube > cube {
            let message = "the tiles without addresses of this launch take more than the room for them";
            let span = module.functions[function].name_span;
            return Err(vec![Diagnostic::error(&rules::alloc_tile::TOTAL_CAPACITY, message).at(span)]);
        }
        *room = [automatic.vector, automatic.cube];
        Ok(Placement { map, automatic })
    }

    /// The address of an automatically placed tile.
    pub(super) fn automatic(&self, function: FunctionId, operation: OperationId) -> Option<usize> {
        let (offset, in_vector) = self.automatic.places.get(&(function, operation))?;
        Some(offset + if *in_vector { self.map.automatic_vector } else { self.map.automatic })
    }
}
