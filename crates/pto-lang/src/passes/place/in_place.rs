//! Results in the bytes of operands: an operand that ends at an instruction and the result that begins there become
//! one item, if the page of the instruction allows it. This adds no wait, since the instruction itself reads the
//! bytes that it overwrites.

use super::demand::Need;
use super::pack::Item;
use crate::analysis::Facts;
use crate::ir::flow::{Definition, Flow};
use crate::ir::{FunctionId, Module, OperandGroup, OperationId, Type, ValueId};
use pto_isa::element::Element;
use pto_isa::meaning::Meaning;
use pto_isa::profile::Profile;
use pto_isa::tile::{Pad, TileType};
use std::collections::HashMap;

/// An instruction whose result may take the bytes of an operand, if that ends there.
#[derive(Clone, Copy, Debug)]
pub(super) struct InPlace {
    /// The position of the instruction.
    position: usize,
    /// The allocation of the operand.
    source: OperationId,
    /// The allocation of the result.
    result: OperationId,
}

/// The instructions of a function whose result may take the bytes of an operand. Both are whole allocations of one shape, one layout
/// and one width of elements.
pub(super) fn find(
    module: &Module,
    id: FunctionId,
    flow: &Flow,
    facts: &Facts,
    profile: Profile,
) -> Vec<InPlace> {
    let function = &module.functions[id];
    let allocation = |value: ValueId| match flow.definition(value)? {
        Definition::Operation(made) if function.operations[made].meaning() == Meaning::AllocTile => {
            Some(made)
        }
        _ => None,
    };
    let form = |value: ValueId| match &module.types[function.values[value].ty] {
        Type::Tile(tile) => Some(form(tile)),
        _ => None,
    };
    let mut found = Vec::new();
    for (position, it) in flow.operations().iter().enumerate() {
        let operation = &function.operations[*it];
        let Some(site) = facts.site(function, &module.types, operation, profile) else { continue };
        let Some(to) = operation.value("dst") else { continue };
        let page = site.instruction.page();
        for operand in operation.operands.iter().filter(|operand| operand.group != OperandGroup::Out) {
            let is_alike = form(to).is_some() && form(operand.value) == form(to);
            if is_alike
                && page.allows_in_place(operand.role, profile)
                && let (Some(source), Some(result)) = (allocation(operand.value), allocation(to))
            {
                found.push(InPlace { position, source, result });
            }
        }
    }
    found
}

/// Equal properties of two tiles whose elements have the same bytes.
fn form(tile: &TileType) -> (TileType, u32) {
    let bits = tile.element.bits();
    (TileType { element: Element::U8, valid_rows: None, valid_cols: None, pad: Pad::NULL, ..*tile }, bits)
}

/// Items some of which are several allocations at one offset.
pub(super) struct Joined {
    pub(super) items: Vec<Item>,
    /// The item of each allocation.
    of: Vec<usize>,
}

impl Joined {
    /// Merges the items of allocations where their live ranges allow it. The first of `items` are those of `needs`,
    /// in their order.
    pub(super) fn of(items: &[Item], needs: &[&Need], in_place: &[InPlace]) -> Joined {
        let number: HashMap<OperationId, usize> =
            needs.iter().enumerate().map(|(at, need)| (need.operation, at)).collect();
        let mut joined = Joined { items: items.to_vec(), of: (0..items.len()).collect() };
        for one in in_place {
            if let (Some(source), Some(result)) = (number.get(&one.source), number.get(&one.result)) {
                joined.join(joined.of[*source], joined.of[*result], one.position);
            }
        }
        joined
    }

    /// Merges the result's item into the source's item if both are free to move and their live ranges share only
    /// `position`.
    fn join(&mut self, source: usize, result: usize, position: usize) {
        let (one, other) = (&self.items[source], &self.items[result]);
        let is_free = |item: &Item| item.fixed.is_none() && item.round.is_none();
        let meets = common(&one.alive, &other.alive);
        if source == result || !is_free(one) || !is_free(other) || meets != [(position, position)] {
            return;
        }
        let mut alive = [&*one.alive, &*other.alive].concat();
        alive.sort_unstable();
        alive.dedup_by(|next, kept| {
            let touches = next.0 <= kept.1;
            if touches {
                kept.1 = kept.1.max(next.1);
            }
            touches
        });
        let bytes = one.bytes.max(other.bytes);
        (self.items[source].alive, self.items[source].bytes) = (alive, bytes);
        // An item that is never alive needs no memory and conflicts with nothing.
        (self.items[result].alive, self.items[result].bytes) = (Vec::new(), 0);
        self.of.iter_mut().filter(|of| **of == result).for_each(|of| *of = source);
    }

    /// The offsets of all allocations, from those of the items.
    pub(super) fn offsets(&self, offsets: &[u64]) -> Vec<u64> {
        self.of.iter().map(|item| offsets[*item]).collect()
    }
}

/// The common times of two lists of ranges.
fn common(a: &[(usize, usize)], b: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let both = |one: &(usize, usize)| {
        let one = *one;
        b.iter()
            .map(move |other| (one.0.max(other.0), one.1.min(other.1)))
            .filter(|(first, last)| first <= last)
    };
    a.iter().flat_map(both).collect()
}
