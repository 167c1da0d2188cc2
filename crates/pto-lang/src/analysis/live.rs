//! Liveness of tiles: the operations during which their contents are needed.
//!
//! **Claim.** If two allocations have no operation in common in their live ranges, they can share bytes: in every run
//! each read of a tile gets the same value as with bytes of its own.
//!
//! **Argument.** This is liveness of variables, backwards over the control-flow graph, with tiles as variables:
//! contents are needed at a node if some path from it reaches a read before an operation that replaces all contents
//! that later reads can see. A write is such an operation only if it is known to cover them: the whole storage, or
//! the valid region of a tile that has one name and whose region never changes. Every other write is treated as one
//! that keeps the old contents: that makes ranges longer, never shorter. Operations that read a part count as reads
//! of all, and all names of an allocation (`storage.rs`) as one variable. So every operation on a path from a write
//! to a read of the written value is in the range; a second allocation that is written there is in the range of its
//! own contents from that write on, if anything reads them, and the two interfere. A write without a read is a range
//! of one operation, which interferes with the ranges that contain that operation.
//!
//! The order of *pipes* is not considered: ranges are in program order. Tiles that share bytes one after the other are ordered afterwards, by the
//! synchronization that `passes/sync` inserts for every pair of accesses to the same bytes.
//!
//! Ranges are intervals of text order, by which `passes/place` packs; a loop is one interval for contents needed
//! across its back edge.

use super::graph::{Graph, Node, index};
use super::{Facts, Storage, touches};
use crate::ir::flow::Flow;
use crate::ir::{Function, FunctionId, Module, Operation, OperationId, Type, ValueId};
use pto_isa::meaning::Meaning;
use pto_isa::op::effect::Access;
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A range of operations in text order, first and last included, as indices into [`Flow::operations`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Range {
    /// The first operation.
    pub first: usize,
    /// The last operation.
    pub last: usize,
}

/// The live ranges of the tiles of one function: for each allocation, the operations during which its bytes are
/// needed.
///
/// A live range extends from a write to the last read of its bytes, through loops, branches and all aliases of the
/// allocation. A write kills the old contents only if it covers all bytes that later reads can access: the whole
/// storage, or the valid region of a tile that has a single name and whose region is never changed.
#[derive(Clone, Debug)]
pub struct Liveness {
    ranges: BTreeMap<u32, Vec<Range>>,
    at_entry: HashSet<u32>,
}

impl Liveness {
    /// Computes the live ranges of the tiles of a function.
    pub fn of(module: &Module, id: FunctionId, storage: &Storage, profile: Profile) -> Liveness {
        let function = &module.functions[id];
        let flow = Flow::of(function);
        let graph = Graph::of(function, &flow);
        let uses = Uses::of(module, id, storage, profile);
        let mut liveness = Liveness { ranges: BTreeMap::new(), at_entry: HashSet::new() };
        let order = Order::of(function, &flow);
        let mut all: BTreeMap<u32, HashSet<Node>> = BTreeMap::new();
        for ((allocation, _), moments) in &uses.moments {
            let (nodes, at_entry) = needed(&graph, &flow, moments);
            if at_entry {
                liveness.at_entry.insert(*allocation);
            }
            all.entry(*allocation).or_default().extend(nodes);
        }
        let ranges = all.into_iter().map(|(allocation, nodes)| (allocation, order.ranges(nodes)));
        liveness.ranges = ranges.collect();
        liveness
    }

    /// The allocations that the function accesses, by their numbers in [`Storage`].
    pub fn allocations(&self) -> impl Iterator<Item = u32> + '_ {
        self.ranges.keys().copied()
    }

    /// The live ranges of an allocation; empty if nothing accesses it.
    pub fn ranges(&self, allocation: u32) -> &[Range] {
        self.ranges.get(&allocation).map_or(&[], Vec::as_slice)
    }

    /// Whether two allocations have overlapping live ranges, and so must not share bytes.
    pub fn interfere(&self, one: u32, other: u32) -> bool {
        let (a, b) = (self.ranges(one), self.ranges(other));
        let (mut i, mut j) = (0, 0);
        while i < a.len() && j < b.len() {
            if a[i].last < b[j].first {
                i += 1;
            } else if b[j].last < a[i].first {
                j += 1;
            } else {
                return true;
            }
        }
        false
    }

    /// Whether some path reads an allocation before all of it is written, so that its initial contents matter.
    pub fn is_needed_at_entry(&self, allocation: u32) -> bool {
        self.at_entry.contains(&allocation)
    }
}

/// The accesses of an operation to an allocation.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    reads: bool,
    /// Whether all of the old contents are overwritten or undefined afterwards.
    replaces: bool,
}

/// A tile in memory: its allocation, and the number of the value that makes it. An allocation in [`Storage`] has
/// several if values pass between them, as where a loop exchanges two tiles: a write to one then leaves the other
/// unchanged.
type Object = (u32, u32);

/// The accesses to each tile of a function, by operation.
struct Uses {
    moments: BTreeMap<Object, HashMap<OperationId, Use>>,
}

impl Uses {
    fn of(module: &Module, id: FunctionId, storage: &Storage, profile: Profile) -> Uses {
        let function = &module.functions[id];
        let facts = Facts::of(function, &module.types);
        let simple = simple(module, id, storage);
        let roots = roots(function, storage, id);
        // The tiles that a value may name.
        let mut known: HashMap<ValueId, Vec<Object>> = HashMap::new();
        let mut named = |value: ValueId| -> Vec<Object> {
            let of = || {
                let allocation = storage.allocation(id, value);
                storage.sources(id, value).into_iter().map(|source| (allocation, source)).collect()
            };
            known.entry(value).or_insert_with(of).clone()
        };
        let mut uses = Uses { moments: BTreeMap::new() };
        for (operation_id, operation) in function.operations.iter() {
            for touch in touches(function, &module.types, &facts, operation, profile) {
                let on_chip = is_tile(&module.types[function.values[touch.value].ty]);
                if !on_chip || !touch.access.is_of_bytes() {
                    continue;
                }
                let allocation = storage.allocation(id, touch.value);
                let covers = touch.storage && roots.contains(&touch.value)
                    || touch.whole && simple.contains(&allocation);
                let objects = named(touch.value);
                // A write through a tile that may be one of several leaves the others unchanged.
                let covers = covers && objects.len() == 1;
                for object in objects {
                    let of = uses.moments.entry(object).or_default().entry(operation_id).or_default();
                    match touch.access {
                        Access::Read => of.reads = true,
                        Access::Write | Access::Destroy if covers => of.replaces = true,
                        _ => {}
                    }
                }
            }
            passed_on(function, operation).for_each(|value| {
                if is_tile(&module.types[function.values[value].ty]) {
                    for object in named(value) {
                        uses.moments.entry(object).or_default().entry(operation_id).or_default().reads = true;
                    }
                }
            });
        }
        uses
    }
}

/// The values that the function returns; its callers may read the tiles among them.
fn passed_on<'a>(function: &'a Function, operation: &'a Operation) -> impl Iterator<Item = ValueId> + 'a {
    let returns = operation.meaning() == Meaning::Return && !function.results.is_empty();
    operation.operands.iter().filter(move |_| returns).map(|operand| operand.value)
}

fn is_tile(ty: &Type) -> bool {
    matches!(ty, Type::Tile(_) | Type::ConvTile(_) | Type::MultiTile { .. })
}

/// The values that are whole allocations, not parts or other views of them.
fn roots(function: &Function, storage: &Storage, id: FunctionId) -> HashSet<ValueId> {
    let allocations = function.operations.iter().filter(|(_, operation)| operation.meaning().makes_tile());
    let values = allocations.flat_map(|(_, operation)| operation.results.iter().copied());
    values.filter(|value| !storage.is_part(id, *value)).collect()
}

/// Allocations of a single tile with a single name whose valid region is never changed: their padding is never
/// read.
fn simple(module: &Module, id: FunctionId, storage: &Storage) -> HashSet<u32> {
    let function = &module.functions[id];
    let mut names: HashMap<u32, u32> = HashMap::new();
    for (value, known) in function.values.iter() {
        if is_tile(&module.types[known.ty]) {
            *names.entry(storage.allocation(id, value)).or_default() += 1;
        }
    }
    let reset = function.operations.iter().filter(|(_, operation)| operation.is(Op::SET_VALIDSHAPE));
    let reset: HashSet<u32> =
        reset.filter_map(|(_, operation)| Some(storage.allocation(id, operation.value("tile")?))).collect();
    names
        .into_iter()
        .filter(|(allocation, count)| *count == 1 && !reset.contains(allocation))
        .map(|(it, _)| it)
        .collect()
}

/// The nodes at which an allocation is live, and whether it is live at entry.
fn needed(graph: &Graph, flow: &Flow, moments: &HashMap<OperationId, Use>) -> (HashSet<Node>, bool) {
    let mut nodes: HashSet<Node> = moments.keys().map(|id| Node::Enter(*id)).collect();
    let mut open: Vec<Node> =
        moments.iter().filter(|(_, of)| of.reads).map(|(id, _)| Node::Enter(*id)).collect();
    let mut at_entry = false;
    let first = flow.operations().first().map(|id| Node::Enter(*id));
    let mut seen: HashSet<usize> = open.iter().map(|node| index(*node)).collect();
    while let Some(node) = open.pop() {
        // The allocation is live directly before this node.
        at_entry |= Some(node) == first;
        for before in graph.before(node) {
            nodes.insert(*before);
            let replaced = match before {
                Node::Enter(id) => moments.get(id).is_some_and(|of| of.replaces && !of.reads),
                Node::Leave(_) => false,
            };
            if !replaced && seen.insert(index(*before)) {
                open.push(*before);
            }
        }
    }
    (nodes, at_entry)
}

/// The positions of nodes in text order.
struct Order {
    enter: HashMap<OperationId, usize>,
    leave: HashMap<OperationId, usize>,
}

impl Order {
    fn of(function: &Function, flow: &Flow) -> Order {
        let enter: HashMap<OperationId, usize> =
            flow.operations().iter().enumerate().map(|(index, id)| (*id, index)).collect();
        let mut leave = enter.clone();
        for (index, id) in flow.operations().iter().enumerate() {
            if function.operations[*id].regions.is_empty() {
                for around in flow.around(*id) {
                    leave.entry(around).and_modify(|last| *last = (*last).max(index));
                }
            }
        }
        Order { enter, leave }
    }

    fn place(&self, node: Node) -> Option<usize> {
        match node {
            Node::Enter(id) => self.enter.get(&id),
            Node::Leave(id) => self.leave.get(&id),
        }
        .copied()
    }

    /// Converts nodes to maximal ranges.
    fn ranges(&self, nodes: HashSet<Node>) -> Vec<Range> {
        let mut places: Vec<usize> = nodes.into_iter().filter_map(|node| self.place(node)).collect();
        places.sort_unstable();
        let mut ranges: Vec<Range> = Vec::new();
        for place in places {
            match ranges.last_mut() {
                Some(range) if place <= range.last + 1 => range.last = place,
                _ => ranges.push(Range { first: place, last: place }),
            }
        }
        ranges
    }
}
