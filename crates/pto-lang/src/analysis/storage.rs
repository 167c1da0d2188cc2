//! Aliases: the classes of values that refer to one allocation.
//!
//! A value and the value that it aliases, such as a subview and its tile, belong to one allocation; so do a value
//! and the values that it becomes: results of a choice, loop-carried values, results of regions, arguments of blocks
//! and functions. Which values these are is on the page of each operation ([`Origin`]).

use super::passing::{Named, references};
use crate::ir::{FunctionId, Module, Names, ValueId};
use pto_isa::meaning::Meaning;
use pto_isa::op::origin::Origin;
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
    /// For each value that refers to the storage of other values, the numbers of these values, each once.
    named: HashMap<u32, Vec<u32>>,
    /// The values with storage of their own.
    made: HashSet<u32>,
    /// Tiles that are allocated as parts of other tiles.
    parts: HashSet<(FunctionId, ValueId)>,
}

impl Storage {
    /// Computes the allocations of a module.
    pub fn of(module: &Module) -> Storage {
        let mut storage = Storage {
            first: HashMap::new(),
            class: Vec::new(),
            named: HashMap::new(),
            made: HashSet::new(),
            parts: HashSet::new(),
        };
        for (id, function) in module.functions.iter() {
            let first = storage.class.len() as u32;
            storage.first.insert(id, first);
            storage.class.extend((0..function.values.iter().count() as u32).map(|value| first + value));
        }
        let names = Names::of(module);
        for (id, function) in module.functions.iter() {
            for (_, operation) in function.operations.iter() {
                references(module, &names, id, operation, &mut |one, other| storage.join(one, other));
                if operation.op().is_some_and(|op| op.page().origin == Some(Origin::Makes)) {
                    let results = operation.results.iter().map(|result| storage.number(id, *result));
                    storage.made.extend(results.collect::<Vec<_>>());
                }
                if operation.meaning() == Meaning::AllocTile && operation.attribute(PART).is_some() {
                    storage.parts.extend(operation.results.iter().map(|result| (id, *result)));
                }
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

    /// Whether a tile is allocated as a part of another tile: the one at its address.
    pub fn is_part(&self, function: FunctionId, value: ValueId) -> bool {
        self.parts.contains(&(function, value))
    }

    /// The numbers of the values whose own storage a value may refer to. One for a view of a tile, two for a choice between two
    /// tiles.
    pub fn sources(&self, function: FunctionId, value: ValueId) -> Vec<u32> {
        self.sources_until(function, value, |_| false)
    }

    /// Like [`Storage::sources`], but values for which `is_source` holds count as sources too.
    pub(crate) fn sources_until(
        &self,
        function: FunctionId,
        value: ValueId,
        is_source: impl Fn(u32) -> bool,
    ) -> Vec<u32> {
        let first = self.number(function, value);
        let (mut open, mut sources) = (vec![first], Vec::new());
        let mut seen = HashSet::from([first]);
        while let Some(value) = open.pop() {
            let named = self.named.get(&value).filter(|_| !is_source(value));
            if named.is_none() || self.made.contains(&value) {
                sources.push(value);
            }
            open.extend(named.into_iter().flatten().copied().filter(|named| seen.insert(*named)));
        }
        sources.sort_unstable();
        sources
    }

    /// Notes that the second value refers to the storage of the first.
    fn join(&mut self, one: Named, other: Named) {
        let (from, to) = (self.number(one.0, one.1), self.number(other.0, other.1));
        let named = self.named.entry(to).or_default();
        if !named.contains(&from) {
            named.push(from);
        }
        let (one, other) = (self.allocation(one.0, one.1), self.allocation(other.0, other.1));
        self.class[one.max(other) as usize] = one.min(other);
    }
}
