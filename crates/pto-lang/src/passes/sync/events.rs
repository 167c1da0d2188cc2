//! Event ids of inserted flags.
//!
//! A core has eight flags for each pair of pipes, and each holds one set. Two flags need different ids if one may be
//! set while the other is set, or before the setting pipe is ordered after the other's wait.

use super::plan::{Beside, InsertedId, Missing, Operation, Plan, Reach, Reaches, Witness};
use super::reason::{AccessOf, Reason};
use super::state::{NEVER, State, What};
use super::tree::{Kind, NodeId, Order, ROOT};
use pto_isa::pipe::{EVENT_IDS, Pipe};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of rounds of moving flags to other pipes.
const MOST_ROUNDS: usize = 16;

type Pair = (Pipe, Pipe);

/// The nodes before which each flag is awaited.
type Waits = BTreeMap<InsertedId, Vec<NodeId>>;

/// The pairs of flags that need different ids.
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
    /// Ids that flags would have if nothing followed.
    tentative: BTreeMap<InsertedId, u8>,
    /// Flags for which no id is left at their set. They conflict with no later flag, so that a long program with many
    /// of them takes linear time.
    hopeless: BTreeSet<InsertedId>,
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

    /// Chooses a tentative id for a flag that conflicts with `others`. Returns whether an id is left.
    fn try_beside(&mut self, id: InsertedId, others: &BTreeSet<InsertedId>) -> bool {
        if self.tentative.contains_key(&id) {
            return true;
        }
        let used: BTreeSet<u8> =
            others.iter().filter_map(|other| self.tentative.get(other).copied()).collect();
        let free = (0..EVENT_IDS).find(|event| !used.contains(event));
        match free {
            Some(event) => drop(self.tentative.insert(id, event)),
            None => drop(self.hopeless.insert(id)),
        }
        free.is_some()
    }
}

impl Witness for Conflicts {
    fn missing(&mut self, _: Missing) {}

    fn set(&mut self, state: &State, id: InsertedId) {
        let Some((from, _)) = self.pairs[id].filter(|_| !self.hopeless.contains(&id)) else { return };
        let pair = self.pairs[id];
        let awaited = state.records.iter().filter_map(|record| match record.what {
            What::Wait(other) if record.known[from as usize] == NEVER => Some(other),
            _ => None,
        });
        let others = self.pending.iter().copied().chain(awaited);
        let others: BTreeSet<InsertedId> = others.filter(|other| self.pairs[*other] == pair).collect();
        if self.try_beside(id, &others) {
            others.into_iter().for_each(|other| self.add(id, other));
            self.pending.insert(id);
        }
    }

    fn wait(&mut self, _: &State, id: InsertedId) -> bool {
        self.pending.remove(&id);
        !self.hopeless.contains(&id)
    }

    fn uses(&mut self, pair: Pair) {
        self.across.extend(self.pending.iter().filter(|id| self.pairs[**id] == Some(pair)));
    }
}

impl Plan<'_> {
    /// Assigns an event id to each flag. Flags without an id become waits of the scalar unit, or barriers if the
    /// program itself uses all events. Returns whether all flags got an id.
    pub(super) fn choose_events(&mut self) -> bool {
        self.with_waits = true;
        for round in 0..MOST_ROUNDS {
            let conflicts = self.event_conflicts();
            let without = self.color(&conflicts);
            if without.is_empty() {
                self.with_waits = false;
                return round == 0;
            }
            let waits = self.waits();
            without.into_iter().for_each(|id| self.give_up(id, &waits));
        }
        // Barriers need no events.
        let flags: Vec<InsertedId> = (0..self.inserted.len()).filter(|id| self.pair(*id).is_some()).collect();
        let waits = self.waits();
        flags.into_iter().for_each(|id| self.become_barrier(id, &waits));
        self.with_waits = false;
        false
    }

    /// Shortens the reach of loop-carried flags, for pairs of pipes that have too few event ids. Returns the new
    /// reaches if any is shortened: then the plan begins again with them.
    pub(super) fn shortened(&mut self) -> Option<Reaches> {
        if self.far.is_empty() {
            return None;
        }
        self.with_waits = true;
        let conflicts = self.event_conflicts();
        let without = self.color(&conflicts);
        self.with_waits = false;
        let mut reaches = self.reaches.clone();
        let pairs: BTreeSet<Pair> = without.into_iter().filter_map(|id| self.pair(id)).collect();
        // For other pairs no loop carries a flag.
        for pair in pairs.into_iter().filter(|pair| self.far.contains_key(pair)) {
            let shorter = match self.reaches.get(&pair) {
                None | Some(Reach::Body) => Reach::Loops,
                Some(Reach::Loops | Reach::Near) => Reach::Near,
            };
            reaches.insert(pair, shorter);
        }
        (reaches != self.reaches).then_some(reaches)
    }

    /// Puts a barrier of all pipes before every instruction, instead of everything else.
    pub(super) fn fence_all(&mut self) {
        self.inserted.iter_mut().for_each(|inserted| inserted.on = false);
        let steps = |node: &NodeId| matches!(self.tree.nodes[*node].kind, Kind::Step(_) | Kind::Fence);
        for node in (0..self.tree.nodes.len()).filter(steps).collect::<Vec<_>>() {
            let reason = Reason { first: None, second: Some(AccessOf::of_node(node)), carried: false };
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

    /// Assigns ids. Returns the flags for which no id is left.
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
                Some(event) if !conflicts.with_itself.contains(&id) && !conflicts.hopeless.contains(&id) => {
                    self.inserted[id].id = event;
                    colored.insert(id, event);
                }
                _ => without.push(id),
            }
        }
        without
    }

    /// The nodes before which each flag is awaited.
    fn waits(&self) -> Waits {
        let mut waits = Waits::new();
        for (node, list) in &self.before {
            for beside in list {
                if let Beside::Wait(id) = beside {
                    waits.entry(*id).or_default().push(*node);
                }
            }
        }
        waits
    }

    /// Replaces a flag by a wait of the scalar unit.
    fn give_up(&mut self, id: InsertedId, waits: &Waits) {
        let Some((from, to)) = self.pair(id) else { return };
        let nodes = waits.get(&id).map_or(&[][..], Vec::as_slice);
        let is_at_once = nodes.iter().all(|node| self.before[node].contains(&Beside::Set(id)));
        if to == Pipe::Scalar && is_at_once {
            return self.become_barrier(id, waits);
        }
        self.inserted[id].on = false;
        for node in nodes {
            self.through_scalar(from, self.inserted[id].reason, *node);
        }
    }

    /// Replaces a flag by barriers of all pipes.
    fn become_barrier(&mut self, id: InsertedId, waits: &Waits) {
        self.inserted[id].on = false;
        for node in waits.get(&id).into_iter().flatten() {
            let barrier = self.insert(Operation::Barrier(Pipe::All), self.inserted[id].reason);
            self.before.entry(*node).or_default().push(Beside::Barrier(barrier));
        }
    }
}
