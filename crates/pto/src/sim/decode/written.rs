//! Which bytes of a block's memory a program may write: what must be cleared before the next block has the room.

use super::super::code::MemoryMap;
use crate::ir::{FunctionId, Module, Operation};
use crate::isa::registry::Op;
use std::ops::Range;

/// What puts a tile, or lets a pointer go, where no allocation says.
fn goes_anywhere(operation: &Operation) -> bool {
    operation.meaning().is_of_queues() || operation.is_one_of(&[Op::TASSIGN, Op::TILE_BUF_ADDR, Op::INTTOPTR])
}

/// The bytes that may be written, in ascending order, given where tiles are allocated.
pub(super) fn written(
    module: &Module,
    functions: &[FunctionId],
    map: &MemoryMap,
    mut tiles: Vec<Range<usize>>,
) -> Vec<Range<usize>> {
    let mut operations = functions.iter().flat_map(|id| module.functions[*id].operations.iter());
    if operations.any(|(_, operation)| goes_anywhere(operation)) {
        tiles.push(0..map.spare.0);
    }
    tiles.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in tiles {
        match merged.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range),
        }
    }
    merged
}
