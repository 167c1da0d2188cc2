//! Tiles that their function returns: they are alive in its callers, also while these call other functions.
//!
//! Functions are placed one after another, so no live range covers such a tile. Therefore it shares no bytes with
//! tiles of other functions: its function avoids the memory of all functions placed before, and functions placed
//! later avoid the tile.

use super::{BufferPlan, Kept};
use crate::analysis::Storage;
use crate::ir::{FunctionId, Module};
use pto_isa::diag::Span;
use pto_isa::meaning::Meaning;
use std::collections::HashSet;

/// The memory of the functions that have been placed.
#[derive(Default)]
pub(super) struct Leaving {
    /// Memory of all tiles.
    all: Kept,
    /// Memory of the tiles that leave their function.
    leaving: Kept,
}

/// The allocations of a function whose tiles it returns, by their place in the text.
pub(super) fn tiles(module: &Module, id: FunctionId, storage: &Storage) -> HashSet<Span> {
    let function = &module.functions[id];
    if function.results.iter().all(|ty| !module.types[*ty].is_reference()) {
        return HashSet::new();
    }
    let returns = function.operations.iter().filter(|(_, end)| end.meaning() == Meaning::Return);
    let returned = returns.flat_map(|(_, end)| end.operands_in("values"));
    let sources: HashSet<u32> = returned.flat_map(|operand| storage.sources(id, operand.value)).collect();
    let makes = function.operations.iter().filter(|(_, operation)| operation.meaning() == Meaning::AllocTile);
    let leaves = makes.filter(|(_, operation)| {
        operation.result().is_some_and(|result| sources.contains(&storage.number(id, result)))
    });
    leaves.map(|(_, operation)| operation.span).collect()
}

impl Leaving {
    /// Adds the memory that a function must avoid: the memory of tiles that left other functions, or, if its own
    /// tiles leave it, all memory.
    pub(super) fn keep(&self, above: &mut Kept, leaves: bool) {
        for (buffer, places) in if leaves { &self.all } else { &self.leaving } {
            above.entry(*buffer).or_default().extend(places);
        }
    }

    /// A function has been placed; the tiles of these allocations leave it.
    pub(super) fn placed(&mut self, plans: &[BufferPlan], leaves: &HashSet<Span>) {
        for plan in plans {
            for place in &plan.places {
                let bytes = (place.address, place.bytes);
                self.all.entry(plan.buffer).or_default().push(bytes);
                if leaves.contains(&place.span) {
                    self.leaving.entry(plan.buffer).or_default().push(bytes);
                }
            }
        }
    }
}
