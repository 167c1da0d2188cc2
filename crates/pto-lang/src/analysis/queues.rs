//! The queues of a function: which operation opens the queue that another one uses, and in which direction entries go.

use crate::ir::flow::Flow;
use crate::ir::{BlockId, Function, Operation, OperationId, ValueId};
use pto_isa::layout::LayoutName;
use pto_isa::meaning::{Core, EntryAction, Meaning};
use pto_isa::op::QueueFact;
use pto_isa::op::epilogue::{self, Epilogue};
use pto_isa::op::sync::queue::usual_slots;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// The operations that open the queues of a function.
#[derive(Clone, Debug, Default)]
pub struct Queues {
    /// For each queue number, the first end that the function opens.
    numbered: HashMap<i128, OperationId>,
    /// For each queue value, the operation that opens the queue.
    values: HashMap<ValueId, OperationId>,
}

/// The number of the queue that an operation opens or uses; 0 if the queue is a value.
pub fn number_of(operation: &Operation) -> i128 {
    operation.integer_or_default("id").unwrap_or(0)
}

/// The directions of the queue that an operation opens: 1 to the vector cores, 2 to the cube core, 3 both.
pub fn directions(operation: &Operation) -> i128 {
    operation.integer_or_default("dir_mask").unwrap_or(0)
}

/// The number of slots of the queue that an operation opens, in each direction.
pub fn slots(opened: &Operation) -> i128 {
    opened.integer("slot_num").unwrap_or_else(|| usual_slots(directions(opened) == 3))
}

/// The number of slots that the consumer of the queue has in its buffer.
pub fn local_slots(opened: &Operation) -> i128 {
    opened.integer("local_slot_num").unwrap_or_else(|| slots(opened))
}

impl Queues {
    /// Adds the queue that an operation opens, if it opens one.
    pub(super) fn add(&mut self, id: OperationId, operation: &Operation) {
        match operation.meaning() {
            Meaning::QueueEnd(_) => {
                self.numbered.entry(number_of(operation)).or_insert(id);
            }
            Meaning::Queue { .. } => self.values.extend(operation.result().map(|queue| (queue, id))),
            _ => {}
        }
    }

    /// The operation that opens the queue of an operation on an entry; `None` if another function opens it.
    pub fn opened(&self, operation: &Operation) -> Option<OperationId> {
        match operation.value("pipe") {
            Some(queue) => self.values.get(&queue).copied(),
            None => self.numbered.get(&number_of(operation)).copied(),
        }
    }

    /// The queue of an operation on an entry. Unknown queues name no memory.
    pub(crate) fn of(&self, function: &Function, operation: &Operation) -> Option<QueueFact> {
        let Meaning::Entry { action, to } = operation.meaning() else { return None };
        let opened = self.opened(operation).map(|opened| &function.operations[opened]);
        let names_memory = opened.is_some_and(|opened| {
            opened.operand("gm_slot_tensor").is_some()
                || opened.meaning() == (Meaning::Queue { through_global: true })
        });
        let consumer = to.or_else(|| consumer(function, opened?, action))?;
        let epilogue = opened.and_then(|opened| Epilogue::of(opened.attribute(epilogue::KEY)?).ok());
        let layout = epilogue.map_or(LayoutName::Nd, |epilogue| epilogue.layout);
        Some(QueueFact { names_memory, consumer, layout })
    }
}

/// The consumer of a queue value. In a bidirectional queue the cube core consumes entries of the vector cores, and
/// the vector cores consume entries of the cube core.
fn consumer(function: &Function, opened: &Operation, action: EntryAction) -> Option<Core> {
    Some(match directions(opened) {
        1 => Core::Vector,
        2 => Core::Cube,
        _ if (function.core() == Some(Core::Vector)) == action.produces() => Core::Cube,
        _ => Core::Vector,
    })
}

/// The tiles of a queue that an operation on another entry makes unusable.
///
/// On chip a free gives the slot of the oldest popped tile to the producer. The order of pops and frees determines
/// that tile if all are in one block; else it may be any popped tile. In memory a pop loads into the local slot of an
/// older entry. Straight-line code determines that entry. If all pops are in one loop and there are no more of them
/// than slots, the same operation popped the entry in an earlier round; else it may be any entry.
pub(crate) struct Reused {
    /// All popped tiles, grouped by queue.
    popped: Vec<ValueId>,
    /// For each operation, the range of `popped` that it reuses.
    by: HashMap<OperationId, Range<usize>>,
}

/// A queue in one function: its value or its number, and the consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// The index of the value.
    value: Option<usize>,
    number: i128,
    to: Option<bool>,
}

/// An operation that pops or frees an entry.
#[derive(Clone, Copy)]
struct Taking {
    id: OperationId,
    /// The tile; `None` for a free.
    popped: Option<ValueId>,
    /// The innermost loop around the operation.
    around: Option<OperationId>,
    block: BlockId,
}

fn taking(operation: &Operation) -> Option<(Key, Option<ValueId>)> {
    let Meaning::Entry { action, to } = operation.meaning() else { return None };
    let popped = match action {
        EntryAction::Pop => Some(operation.value("value").or(operation.result())?),
        EntryAction::Free => None,
        EntryAction::Allocate | EntryAction::Push => return None,
    };
    let to = to.map(|to| to == Core::Vector);
    Some((
        Key { value: operation.value("pipe").map(|queue| queue.index()), number: number_of(operation), to },
        popped,
    ))
}

impl Reused {
    /// The tiles that the operations of a function reuse.
    pub(crate) fn of(function: &Function, queues: &Queues, flow: &Flow) -> Reused {
        let mut by_queue: BTreeMap<Key, Vec<Taking>> = BTreeMap::new();
        for id in flow.operations() {
            let Some((key, popped)) = taking(&function.operations[*id]) else { continue };
            let Some((block, _)) = flow.place(*id) else { continue };
            let is_loop = |at: &OperationId| {
                matches!(function.operations[*at].meaning(), Meaning::For | Meaning::While)
            };
            let around = flow.around(*id).find(is_loop);
            by_queue.entry(key).or_default().push(Taking { id: *id, popped, around, block });
        }
        let mut reused = Reused { popped: Vec::new(), by: HashMap::new() };
        for all in by_queue.values() {
            let opened = queues.opened(&function.operations[all[0].id]);
            let local = opened.map_or(1, |opened| local_slots(&function.operations[opened]));
            reused.of_queue(all, usize::try_from(local).unwrap_or(1));
        }
        reused
    }

    /// Adds the tiles of one queue, whose consumer has `local` slots in its buffer.
    fn of_queue(&mut self, all: &[Taking], local: usize) {
        let first = self.popped.len();
        self.popped.extend(all.iter().filter_map(|one| one.popped));
        let every = first..self.popped.len();
        let is_one_loop = all.iter().all(|one| one.around == all[0].around);
        let is_one_block = all.iter().all(|one| one.block == all[0].block);
        let (mut pops, mut frees) = (0, 0);
        for one in all {
            let only = |entry: usize| first + entry..first + entry + 1;
            let tiles = if one.popped.is_none() {
                frees += 1;
                if is_one_block && frees <= every.len() { only(frees - 1) } else { every.clone() }
            } else {
                pops += 1;
                match (is_one_block && one.around.is_none(), pops > local) {
                    (true, true) => only(pops - 1 - local),
                    (true, false) => 0..0,
                    (false, _) if is_one_loop && every.len() <= local => 0..0,
                    (false, _) => every.clone(),
                }
            };
            self.by.insert(one.id, tiles);
        }
    }

    /// The tiles, one or all of which an operation makes unusable.
    pub(crate) fn by(&self, operation: OperationId) -> &[ValueId] {
        self.by.get(&operation).map_or(&[], |tiles| &self.popped[tiles.clone()])
    }
}
