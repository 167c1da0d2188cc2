//! Aliases: the classes of values that refer to one allocation.
//!
//! A value and the value that it aliases, such as a subview and its tile, belong to one allocation; so do a value
//! and the values to which control flow passes it: loop-carried values, results of regions, arguments of blocks
//! and functions.

use crate::ir::{Function, FunctionId, Module, Names, Operand, OperandGroup, Operation, RegionId, ValueId};
use crate::isa::meaning::Meaning;
use crate::isa::op::effect::Access;
use std::collections::{HashMap, HashSet};

/// The attribute of a tile that is allocated as a part of another tile at the same address; the public assembler
/// writes subviews so after it has assigned addresses.
const PART: &str = "pto.view_semantics";

/// The allocations of a module, as classes of values.
#[derive(Clone, Debug)]
pub struct Storage {
    /// The number of the first value of each function.
    first: HashMap<FunctionId, u32>,
    /// Union-find parent of each value; the representative of a class is its own parent.
    class: Vec<u32>,
    /// Tiles that are allocated as parts of other tiles.
    parts: HashSet<(FunctionId, ValueId)>,
}

impl Storage {
    /// Computes the allocations of a module.
    pub fn of(module: &Module) -> Storage {
        let mut storage = Storage { first: HashMap::new(), class: Vec::new(), parts: HashSet::new() };
        for (id, function) in module.functions.iter() {
            let first = storage.class.len() as u32;
            storage.first.insert(id, first);
            storage.class.extend((0..function.values.iter().count() as u32).map(|value| first + value));
        }
        let names = Names::of(module);
        for (id, function) in module.functions.iter() {
            for (_, operation) in function.operations.iter() {
                storage.operation(module, &names, (id, function), operation);
            }
        }
        storage
    }

    /// The number of the allocation of a value.
    pub fn allocation(&self, function: FunctionId, value: ValueId) -> u32 {
        let mut at = self.number(function, value);
        while self.class[at as usize] != at {
            at = self.class[at as usize];
        }
        at
    }

    /// The number of a value among those of the module.
    pub fn number(&self, function: FunctionId, value: ValueId) -> u32 {
        self.first[&function] + value.index() as u32
    }

    /// Whether a tile is allocated as a part of whatever tile is at its address.
    pub fn is_part(&self, function: FunctionId, value: ValueId) -> bool {
        self.parts.contains(&(function, value))
    }

    fn join(&mut self, (one, other): ((FunctionId, ValueId), (FunctionId, ValueId))) {
        let (one, other) = (self.allocation(one.0, one.1), self.allocation(other.0, other.1));
        self.class[one.max(other) as usize] = one.min(other);
    }

    /// Joins the values of two lists pairwise.
    fn join_all(
        &mut self,
        id: FunctionId,
        from: impl IntoIterator<Item = ValueId>,
        to: impl IntoIterator<Item = ValueId>,
    ) {
        from.into_iter().zip(to).for_each(|(from, to)| self.join(((id, from), (id, to))));
    }

    fn operation(
        &mut self,
        module: &Module,
        names: &Names<'_>,
        (id, function): (FunctionId, &Function),
        operation: &Operation,
    ) {
        for successor in &operation.successors {
            let arguments = function.blocks[successor.block].arguments.iter().copied();
            self.join_all(id, values(&successor.arguments), arguments);
        }
        let results = || operation.results.iter().copied();
        let inits = || operation.operands_in("init").map(|operand| operand.value);
        let region = |at: usize| operation.regions.get(at).copied();
        match operation.meaning() {
            Meaning::For => {
                let carried = || region(0).into_iter().flat_map(|it| entered(function, it)).skip(1);
                self.join_all(id, inits(), carried());
                self.join_all(id, inits(), results());
                self.ends(id, function, &operation.regions, &operation.results);
            }
            Meaning::While => {
                let [before, after] = [region(0), region(1)]
                    .map(|it| it.map_or(Vec::new(), |it| entered(function, it).collect::<Vec<_>>()));
                self.join_all(id, inits(), before.iter().copied());
                self.join_all(id, results(), after);
                self.ends(id, function, &operation.regions[..1], &operation.results);
                self.ends(id, function, &operation.regions[1..], &before);
            }
            Meaning::Call => self.call(module, names, (id, function), operation),
            Meaning::AllocTile if operation.attribute(PART).is_some() => {
                self.parts.extend(results().map(|result| (id, result)));
            }
            _ => {
                self.ends(id, function, &operation.regions, &operation.results);
                self.names(id, operation);
            }
        }
    }

    /// Joins the values that regions yield with the values `to`.
    fn ends(&mut self, id: FunctionId, function: &Function, regions: &[RegionId], to: &[ValueId]) {
        let blocks = regions.iter().flat_map(|region| &function.regions[*region].blocks);
        for last in blocks.filter_map(|block| function.blocks[*block].operations.last()) {
            let end = &function.operations[*last];
            if matches!(end.meaning(), Meaning::Yield | Meaning::Condition) {
                let values = end.operands_in("values").map(|operand| operand.value);
                self.join_all(id, values, to.iter().copied());
            }
        }
    }

    fn call(
        &mut self,
        module: &Module,
        names: &Names<'_>,
        (id, function): (FunctionId, &Function),
        operation: &Operation,
    ) {
        let callee = operation.symbol("callee").and_then(|name| names.find(function, name));
        let Some(callee) = callee else { return };
        let called = &module.functions[callee];
        let arguments = called.arguments.iter().map(|argument| (callee, argument.value));
        let given = values(&operation.operands).map(|value| (id, value));
        given.zip(arguments).for_each(|pair| self.join(pair));
        for (_, end) in called.operations.iter().filter(|(_, end)| end.meaning() == Meaning::Return) {
            let returned = end.operands_in("values").map(|operand| (callee, operand.value));
            let results = operation.results.iter().map(|result| (id, *result));
            returned.zip(results).for_each(|pair| self.join(pair));
        }
    }

    /// Joins a result with the values that it aliases: the tile of a subview, the tiles of a slot, the written
    /// destination.
    fn names(&mut self, id: FunctionId, operation: &Operation) {
        let Some(&result) = operation.results.first() else { return };
        if let Some(page) = operation.op().map(|op| op.page()) {
            let named = page.own_effects().filter(|effect| effect.access == Access::Name);
            for role in named.filter_map(|effect| effect.role()) {
                let operands = operation.operands_in(role).map(|operand| operand.value);
                self.join_all(id, operands, [result]);
            }
        }
        let written = operation.operands.iter().filter(|operand| operand.group == OperandGroup::Out);
        self.join_all(id, written.map(|operand| operand.value), operation.results.iter().copied());
    }
}

fn values(operands: &[Operand]) -> impl Iterator<Item = ValueId> + '_ {
    operands.iter().map(|operand| operand.value)
}

/// The arguments of the entry block of a region.
fn entered(function: &Function, region: RegionId) -> impl Iterator<Item = ValueId> + '_ {
    let block = function.regions[region].blocks.first();
    block.into_iter().flat_map(|block| function.blocks[*block].arguments.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The classes with two or more values, as lists of value names, in order.
    fn classes(text: &str) -> Vec<Vec<String>> {
        let module = crate::parse(text).expect("well-formed text").module;
        let storage = Storage::of(&module);
        let mut classes: std::collections::BTreeMap<u32, Vec<String>> = Default::default();
        for (id, function) in module.functions.iter() {
            for (value, known) in function.values.iter() {
                classes.entry(storage.allocation(id, value)).or_default().push(known.name.clone());
            }
        }
        classes.into_values().filter(|class| class.len() > 1).collect()
    }

    #[test]
    fn views_loops_branches_and_calls_pass_an_allocation_on() {
        let text = r"
!t = !pto.tile_buf<vec, 1x16xf32>
func.func @keep(%given: !t) -> !t {
  return %given : !t
}
func.func @main(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  %d = pto.alloc_tile : !t
  %r = pto.treshape %a : !t -> !t
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%x = %b) -> (!t) {
    scf.yield %x : !t
  }
  %k = func.call @keep(%d) : (!t) -> !t
  %e = scf.if %c -> (!t) {
    scf.yield %k : !t
  } else {
    scf.yield %d : !t
  }
  pto.tadd ins(%e, %l : !t, !t) outs(%r : !t)
  return
}";
        let expected = [vec!["given", "d", "k", "e"], vec!["a", "r"], vec!["b", "x", "l"]];
        assert_eq!(classes(text), expected);
    }

    #[test]
    fn loops_with_a_condition_and_jumps_pass_an_allocation_on() {
        let text = r"
!t = !pto.tile_buf<vec, 1x16xf32>
func.func @main(%c: i1) {
  %a = pto.alloc_tile : !t
  %b = pto.alloc_tile : !t
  %w = scf.while (%x = %a) : (!t) -> !t {
    scf.condition(%c) %x : !t
  } do {
  ^bb0(%y: !t):
    scf.yield %y : !t
  }
  cf.br ^next(%b : !t)
^next(%z: !t):
  pto.tadd ins(%w, %w : !t, !t) outs(%z : !t)
  return
}";
        assert_eq!(classes(text), [vec!["a", "x", "y", "w"], vec!["b", "z"]]);
    }
}
