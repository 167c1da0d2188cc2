//! Event ids of inserted flags.
//!
//! A core has eight flags for each pair of pipes, and each holds one set. Two flags need different ids if one may be set while the
//! other is set, or before the pipe that sets it waits for the end of the other's wait.

use super::plan::{Beside, InsertedId, Missing, Operation, Plan, Reason, Witness};
use super::state::{NEVER, State, What};
use super::tree::{Kind, NodeId, Order, ROOT};
use crate::isa::pipe::{EVENT_IDS, Pipe};
use std::collections::{BTreeMap, BTreeSet};

/// Most rounds of moving flags to other pipes.
const MOST_ROUNDS: usize = 16;

type Pair = (Pipe, Pipe);

/// Which flags need different ids.
#[derive(Default)]
struct Conflicts {
    pairs: Vec<Option<Pair>>,
    /// Flags that are set and not yet awaited.
    pending: BTreeSet<InsertedId>,
    between: BTreeMap<InsertedId, BTreeSet<InsertedId>>,
    /// Flags that may be set again before their wait has ended.
    with_itself: BTreeSet<InsertedId>,
    /// Flags that are set across an instruction that uses event 0 of the pair itself.
    across: BTreeSet<InsertedId>,
}

impl Conflicts {
    fn add(&mut self, one: InsertedId, other: InsertedId) {
        if one == other {
            self.with_itself.insert(one);
            return;
        }
        self.between.entry(one).or_default().insert(other);
        self.between.entry(other).or_default().insert(one);
    }
}

impl Witness for Conflicts {
    fn missing(&mut self, _: Missing) {}

    fn set(&mut self, state: &State, id: InsertedId) {
        let Some((from, _)) = self.pairs[id] else { return };
        let pair = self.pairs[id];
        let set: Vec<InsertedId> =
            self.pending.iter().copied().filter(|other| self.pairs[*other] == pair).collect();
        set.into_iter().for_each(|other| self.add(id, other));
        for record in &state.records {
            let What::Wait(other) = record.what else { continue };
            if self.pairs[other] == pair && record.known[from as usize] == NEVER {
                self.add(id, other);
            }
        }
        self.pending.insert(id);
    }

    fn wait(&mut self, _: &State, id: InsertedId) {
        self.pending.remove(&id);
    }

    fn uses(&mut self, pair: Pair) {
        self.across.extend(self.pending.iter().filter(|id| self.pairs[**id] == Some(pair)));
    }
}

impl Plan<'_> {
    /// Gives each flag an event id. Flags for which none is left become waits of the scalar unit, and these, where the
    /// program itself uses all events, barriers.
    pub(super) fn choose_events(&mut self) {
        self.with_waits = true;
        for _ in 0..MOST_ROUNDS {
            let conflicts = self.event_conflicts();
            let without = self.color(&conflicts);
            if without.is_empty() {
                self.with_waits = false;
                return;
            }
            without.into_iter().for_each(|id| self.give_up(id));
        }
        // Barriers need no events.
        let flags: Vec<InsertedId> = (0..self.inserted.len()).filter(|id| self.pair(*id).is_some()).collect();
        flags.into_iter().for_each(|id| self.become_barrier(id));
        self.with_waits = false;
    }

    /// Puts a barrier of all pipes before every instruction, instead of everything else.
    pub(super) fn fence_all(&mut self) {
        self.inserted.iter_mut().for_each(|inserted| inserted.on = false);
        let steps = |node: &NodeId| matches!(self.tree.nodes[*node].kind, Kind::Step(_) | Kind::Fence);
        for node in (0..self.tree.nodes.len()).filter(steps).collect::<Vec<_>>() {
            let reason = Reason { first: None, second: Some((node, 0)), carried: false };
            let id = self.insert(Operation::Barrier(Pipe::All), reason);
            self.before.entry(node).or_default().push(Beside::Barrier(id));
        }
    }

    fn pair(&self, id: InsertedId) -> Option<Pair> {
        match self.inserted[id].what {
            Operation::Flag { from, to, .. } if self.inserted[id].on => Some((from, to)),
            _ => None,
        }
    }

    fn event_conflicts(&self) -> Conflicts {
        let pairs = (0..self.inserted.len()).map(|id| self.pair(id)).collect();
        let mut conflicts = Conflicts { pairs, ..Conflicts::default() };
        self.walk(ROOT, &mut State::default(), &mut conflicts, 2);
        conflicts
    }

    /// The ids that the program uses itself.
    fn taken(&self) -> BTreeMap<Pair, BTreeSet<u8>> {
        let mut taken: BTreeMap<Pair, BTreeSet<u8>> = BTreeMap::new();
        for node in &self.tree.nodes {
            if let Kind::Order(Order::Set { from, to, id } | Order::Wait { from, to, id }) = node.kind {
                let ids = id.map_or(0..EVENT_IDS, |id| id..id.saturating_add(1));
                taken.entry((from, to)).or_default().extend(ids);
            }
        }
        taken
    }

    /// Assigns ids. Returns the flags for which none is left.
    fn color(&mut self, conflicts: &Conflicts) -> Vec<InsertedId> {
        let taken = self.taken();
        let mut without = Vec::new();
        let mut colored: BTreeMap<InsertedId, u8> = BTreeMap::new();
        for id in 0..self.inserted.len() {
            let Some(pair) = self.pair(id) else { continue };
            let mut used = taken.get(&pair).cloned().unwrap_or_default();
            let beside = conflicts.between.get(&id).into_iter().flatten();
            used.extend(beside.filter_map(|other| colored.get(other)));
            if conflicts.across.contains(&id) {
                used.insert(0);
            }
            match (0..EVENT_IDS).find(|event| !used.contains(event)) {
                Some(event) if !conflicts.with_itself.contains(&id) => {
                    self.inserted[id].id = event;
                    colored.insert(id, event);
                }
                _ => without.push(id),
            }
        }
        without
    }

    /// The nodes before which a flag is awaited.
    fn waits_of(&self, id: InsertedId) -> Vec<NodeId> {
        let waits = self.before.iter().filter(|(_, list)| list.contains(&Beside::Wait(id)));
        waits.map(|(node, _)| *node).collect()
    }

    /// Replaces a flag by a wait of the scalar unit.
    fn give_up(&mut self, id: InsertedId) {
        let Some((from, to)) = self.pair(id) else { return };
        if to == Pipe::Scalar && self.is_at_once(id) {
            return self.become_barrier(id);
        }
        self.inserted[id].on = false;
        for node in self.waits_of(id) {
            self.through_scalar(from, self.inserted[id].reason, node);
        }
    }

    /// Whether a flag is set right before it is awaited.
    fn is_at_once(&self, id: InsertedId) -> bool {
        self.waits_of(id).iter().all(|node| self.before[node].contains(&Beside::Set(id)))
    }

    /// Replaces a flag by barriers of all pipes.
    fn become_barrier(&mut self, id: InsertedId) {
        self.inserted[id].on = false;
        for node in self.waits_of(id) {
            let barrier = self.insert(Operation::Barrier(Pipe::All), self.inserted[id].reason);
            self.before.entry(node).or_default().push(Beside::Barrier(barrier));
        }
    }
}
