//! Slots of multi-tiles that a loop takes in turn: `i mod n` becomes a constant.
//!
//! The body of the loop is repeated, as in [`multi_buffer`](super::multi_buffer), once for each round until the first slots come again; then
//! the remainders are folded. So each slot is a place of its own for synchronization: an access waits for the round that
//! had its slot before, and for no other.

use super::multi_buffer::{Candidate, MOST_OPERATIONS, inside, is_simple, loops, repeat};
use crate::analysis::linear::Integers;
use crate::ir::flow::{Definition, Flow};
use crate::ir::{Function, FunctionId, Module, Operation, OperationId, ValueId};
use pto_isa::meaning::{Binary, Meaning};
use pto_isa::registry::Op;

/// Most slots that a loop takes in turn.
const MOST_SLOTS: i64 = 8;

/// Repeats the loops of a module that take slots in turn. Returns their number.
pub(super) fn take_apart(module: &mut Module) -> usize {
    let mut changed = 0;
    let functions: Vec<FunctionId> = module.functions.iter().map(|(id, _)| id).collect();
    for id in functions {
        // Repeating a loop moves none of those before it in the text.
        for (number, rounds) in in_turn(module, id).into_iter().rev() {
            let mut trial = module.clone();
            let candidate = Candidate { function: id, number, outside: Vec::new() };
            if repeat(&mut trial, &candidate, rounds).is_some() {
                *module = trial;
                changed += 1;
            }
        }
    }
    changed
}

/// The loops of a function that take slots in turn: the number of each loop, and the number of rounds until its slots come again.
fn in_turn(module: &Module, id: FunctionId) -> Vec<(usize, u32)> {
    let function = &module.functions[id];
    let takes_slots = |(_, operation): (OperationId, &Operation)| operation.is(Op::MULTI_TILE_GET);
    if !function.operations.iter().any(takes_slots) {
        return Vec::new();
    }
    let flow = Flow::of(function);
    let integers = Integers::of(function, &module.types, &flow);
    let rounds = |(number, owner): (usize, OperationId)| {
        Some((number, rounds(module, function, &flow, &integers, owner)?))
    };
    loops(module, id).into_iter().enumerate().filter_map(rounds).collect()
}

/// The number of rounds until the slots of a loop come again; `None` if the loop takes no slots in turn, or if its body cannot be repeated.
fn rounds(
    module: &Module,
    function: &Function,
    flow: &Flow,
    integers: &Integers<'_>,
    owner: OperationId,
) -> Option<u32> {
    let inside = inside(flow, owner);
    let passes_tiles = |result: &ValueId| module.types[function.values[*result].ty].is_reference();
    if !is_simple(function, &inside) || function.operations[owner].results.iter().any(passes_tiles) {
        return None;
    }
    let period = |it: &OperationId| {
        let operation = &function.operations[*it];
        let index = operation.value("index").filter(|_| operation.is(Op::MULTI_TILE_GET))?;
        let Some(Definition::Operation(made)) = flow.definition(index) else { return None };
        let made = &function.operations[made];
        let Meaning::Binary(Binary::RemSigned | Binary::RemUnsigned) = made.meaning() else { return None };
        let by =
            integers.form(made.value("rhs")?).as_constant().filter(|by| (2..=MOST_SLOTS).contains(by))?;
        Some(integers.remainder(&integers.form(made.value("lhs")?), by, Some(owner))?.period)
    };
    let rounds = inside.iter().filter_map(period).fold(1, least_common_multiple);
    let is_small = rounds <= MOST_SLOTS && inside.len().saturating_mul(rounds as usize) <= MOST_OPERATIONS;
    (rounds > 1 && is_small).then_some(rounds as u32)
}

fn least_common_multiple(a: i64, b: i64) -> i64 {
    (1..=b).map(|times| a * times).find(|number| number % b == 0).unwrap_or(a * b)
}
