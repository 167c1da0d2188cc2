//! Which bytes of a block's memory a program may write: what must be cleared before the next block has the room.

use super::super::code::MemoryMap;
use crate::ir::{FunctionId, Module};
use std::ops::Range;

/// What puts a tile, or lets a pointer go, where no allocation says.
fn goes_anywhere(name: &str) -> bool {
    super::pipe::runs(name) || matches!(name, "pto.tassign" | "pto.tile_buf_addr" | "pto.inttoptr")
}

/// The bytes that may be written, in ascending order, given where tiles are allocated.
pub(super) fn written(
    module: &Module,
    functions: &[FunctionId],
    map: &MemoryMap,
    mut tiles: Vec<Range<usize>>,
) -> Vec<Range<usize>> {
    let mut operations = functions.iter().flat_map(|id| module.functions[*id].operations.iter());
    if operations.any(|(_, operation)| goes_anywhere(&operation.name)) {
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
