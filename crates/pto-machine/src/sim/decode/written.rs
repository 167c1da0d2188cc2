//! The bytes of a block's memory that a program may write, which must be cleared before the memory is reused.

use super::super::code::MemoryMap;
use pto_isa::registry::Op;
use pto_lang::ir::{FunctionId, Module, Operation};
use std::ops::Range;

/// Whether an operation may place a tile, or create a pointer, at an address that no allocation determines.
fn goes_anywhere(operation: &Operation) -> bool {
    operation.meaning().is_of_queues() || operation.is_one_of(&[Op::TASSIGN, Op::TILE_BUF_ADDR, Op::INTTOPTR])
}

/// The byte ranges that may be written, in ascending order; `tiles` are the ranges of allocations.
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
    merged(tiles)
}

/// Sorts ranges in ascending order and merges those that overlap or touch.
pub(super) fn merged(mut tiles: Vec<Range<usize>>) -> Vec<Range<usize>> {
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
