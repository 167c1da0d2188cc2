//! The synchronization to insert into a stream, and the walk that finds accesses which it does not order.

use super::reason::Reason;
use super::state::{Capture, State, Time, What};
use super::tree::{BodyId, DEEPEST, Kind, Node, NodeId, Order, ROOT, Tree};
use crate::analysis::accesses::Accesses;
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use std::cell::Cell;
use std::collections::BTreeMap;

/// Number of the first inserted token, above the numbers of a program's own tokens.
const OWN_TOKENS: u32 = 1 << 16;

/// Number of nodes of a stream above which flags are joined although that costs overlap, and reach no further than
/// their loop: event ids do not suffice for so many flags, and each set flag costs work at each branch and loop.
const MANY_NODES: usize = 2_000;

/// Number of loops of a function above which the flags that they carry reach only from loop to loop.
const MANY_LOOPS: usize = 64;

/// The index of an inserted flag or barrier.
pub(super) type InsertedId = usize;

/// Kind of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Flag {
        from: Pipe,
        to: Pipe,
        carried: Option<NodeId>,
    },
    Barrier(Pipe),
    /// A buffer token that both pipes take around their instructions.
    Token {
        from: Pipe,
        to: Pipe,
    },
}

/// A flag, with its sets and waits, or a barrier.
#[derive(Clone, Debug)]
pub(super) struct Inserted {
    pub(super) what: Operation,
    pub(super) reason: Reason,
    /// Event id of a flag, assigned at the end.
    pub(super) id: u8,
    pub(super) on: bool,
}

/// An operation directly before or after a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    Set(InsertedId),
    Wait(InsertedId),
    Barrier(InsertedId),
    /// A pipe acquires a token.
    Acquire(InsertedId, Pipe),
    Release(InsertedId, Pipe),
}

/// Two accesses that nothing orders.
#[derive(Clone, Copy, Debug)]
pub(super) struct Missing {
    pub(super) from: Pipe,
    pub(super) to: Pipe,
    /// Time at which the first access was issued.
    pub(super) time: Time,
    /// The node of the first.
    pub(super) node: NodeId,
    pub(super) reason: Reason,
}

/// Sees sets and waits as the walk passes them.
pub(super) trait Witness {
    /// Two accesses are not ordered.
    fn missing(&mut self, missing: Missing);
    /// A flag is set; `state` is that before the set.
    fn set(&mut self, _: &State, _: InsertedId) {}
    /// A flag is waited for. Returns whether it matters when the wait ends.
    fn wait(&mut self, _: &State, _: InsertedId) -> bool {
        true
    }
    /// Called for an instruction that uses the flags of these pipes itself, with id 0.
    fn uses(&mut self, _: (Pipe, Pipe)) {}
    /// A token is acquired, or released.
    fn token(&mut self, _: InsertedId, _acquires: bool) {}
    /// Whether the rest does not matter.
    fn is_done(&self) -> bool {
        false
    }
}

/// Whether any two accesses are not ordered.
#[derive(Default)]
struct Any(bool);

impl Witness for Any {
    fn missing(&mut self, _: Missing) {
        self.0 = true;
    }

    fn is_done(&self) -> bool {
        self.0
    }
}

/// Collects accesses that are not ordered.
impl Witness for Vec<Missing> {
    fn missing(&mut self, missing: Missing) {
        self.push(missing);
    }
}

/// Distance from its loop at which a loop-carried flag is set first and awaited last. A greater distance saves waits
/// for the instructions between, but occupies the event id longer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reach {
    /// At the ends of the body that contains the outermost loop.
    #[default]
    Body,
    /// Up to the loops before and after it.
    Loops,
    /// Right before and after the loop.
    Near,
}

/// The reach of the flags of a pair of pipes, if it is not the usual one.
pub(super) type Reaches = BTreeMap<(Pipe, Pipe), Reach>;

/// The synchronization of one stream.
pub(super) struct Plan<'a> {
    pub(super) tree: &'a Tree,
    pub(super) accesses: &'a Accesses<'a>,
    pub(super) profile: Profile,
    pub(super) reaches: Reaches,
    /// Flags of each pair of pipes that reach to the ends of their body.
    pub(super) far: BTreeMap<(Pipe, Pipe), u8>,
    /// Whether the function has too many loops for flags that reach across them.
    pub(super) has_many_loops: bool,
    pub(super) inserted: Vec<Inserted>,
    pub(super) before: BTreeMap<NodeId, Vec<Beside>>,
    pub(super) after: BTreeMap<NodeId, Vec<Beside>>,
    /// Flags that are set right before a loop, and waited for right after it.
    pub(super) carried: BTreeMap<NodeId, Vec<InsertedId>>,
    /// Whether waits leave records, by which ids of events are chosen.
    pub(super) with_waits: bool,
    /// Work of all walks so far: visited nodes, and records at each.
    pub(super) work: Cell<usize>,
    /// Maximum work of each search for superfluous operations.
    pub(super) search: usize,
}

impl<'a> Plan<'a> {
    pub(super) fn new(
        tree: &'a Tree,
        accesses: &'a Accesses<'a>,
        profile: Profile,
        reaches: Reaches,
        search: usize,
    ) -> Plan<'a> {
        let (inserted, with_waits) = (Vec::new(), false);
        let (far, before, after, carried) =
            (BTreeMap::new(), BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let work = Cell::new(0);
        let is_outermost = |node: &&Node| {
            node.loops.is_empty() && matches!(node.kind, Kind::Loop { .. } | Kind::While { .. })
        };
        let has_many_loops = tree.nodes.iter().filter(is_outermost).count() > MANY_LOOPS;
        Plan {
            tree,
            accesses,
            profile,
            reaches,
            far,
            has_many_loops,
            inserted,
            before,
            after,
            carried,
            with_waits,
            work,
            search,
        }
    }

    /// Whether the stream is too long for uses of event ids that only save time.
    pub(super) fn is_long(&self) -> bool {
        self.tree.nodes.len() > MANY_NODES
    }

    /// Whether all accesses of the whole stream are ordered, each loop seen in two rounds.
    pub(super) fn is_ordered(&self) -> bool {
        let mut any = Any::default();
        self.walk(ROOT, &mut State::default(), &mut any, 2);
        !any.0
    }

    /// Walks through a body; loops in it run `rounds` times.
    pub(super) fn walk(&self, body: BodyId, state: &mut State, witness: &mut dyn Witness, rounds: u32) {
        for node in &self.tree.bodies[body].nodes {
            if witness.is_done() {
                return;
            }
            self.beside(self.before.get(node), *node, state, witness);
            self.node(*node, state, witness, rounds);
            self.beside(self.after.get(node), *node, state, witness);
        }
    }

    /// Runs inserted operations.
    pub(super) fn beside(
        &self,
        list: Option<&Vec<Beside>>,
        node: NodeId,
        state: &mut State,
        witness: &mut dyn Witness,
    ) {
        for beside in list.into_iter().flatten() {
            match *beside {
                Beside::Set(id) if self.inserted[id].on => self.set(id, state, witness),
                Beside::Wait(id) if self.inserted[id].on => self.wait(id, node, state, witness),
                Beside::Barrier(id) if self.inserted[id].on => {
                    if let Operation::Barrier(pipe) = self.inserted[id].what {
                        state.tick();
                        state.barrier(pipe);
                    }
                }
                Beside::Acquire(id, pipe) if self.inserted[id].on => {
                    witness.token(id, true);
                    self.order(Order::Acquire(pipe, OWN_TOKENS + id as u32), state);
                }
                Beside::Release(id, pipe) if self.inserted[id].on => {
                    witness.token(id, false);
                    self.order(Order::Release(pipe, OWN_TOKENS + id as u32), state);
                }
                _ => {}
            }
        }
    }

    fn set(&self, id: InsertedId, state: &mut State, witness: &mut dyn Witness) {
        witness.set(state, id);
        let Operation::Flag { from, .. } = self.inserted[id].what else { return };
        let now = state.tick();
        state.captured.insert((id, from), Capture::at(now));
    }

    fn wait(&self, id: InsertedId, node: NodeId, state: &mut State, witness: &mut dyn Witness) {
        let Operation::Flag { from, to, .. } = self.inserted[id].what else { return };
        // A wait clears the flag; a later wait needs a new set.
        let Some(capture) = state.captured.remove(&(id, from)) else { return };
        let matters = witness.wait(state, id);
        state.tick();
        state.take(from, &capture, to);
        if self.with_waits && matters && to != Pipe::Scalar {
            let time = state.tick();
            let mut record = self.record(What::Wait(id), node, to, time);
            // A set of the pipe itself follows its wait.
            record.known[to as usize] = time;
            state.push(record);
        }
    }

    pub(super) fn node(&self, node: NodeId, state: &mut State, witness: &mut dyn Witness, rounds: u32) {
        self.work.set(self.work.get() + 1 + state.records.len());
        // Everything that is deeper is ordered by barriers.
        let rounds = if self.tree.nodes[node].loops.len() < DEEPEST { rounds } else { 1 };
        match &self.tree.nodes[node].kind {
            Kind::Step(_) => {
                for phase in self.phases(node) {
                    self.begin_phase(node, phase, state);
                    self.conflicts(node, phase, state)
                        .into_iter()
                        .for_each(|missing| witness.missing(missing));
                    self.end_phase(node, phase, state);
                }
                self.end(node, state, witness);
            }
            Kind::Order(order) => self.order(*order, state),
            Kind::Fence => {
                if let Some(missing) = self.fence(node, state) {
                    witness.missing(missing);
                }
                self.fenced(node, state);
            }
            Kind::Loop { body, may_skip, rounds: most } => {
                self.fill(node, state, witness);
                let mut ends = Vec::new();
                if *may_skip {
                    ends.push(state.clone());
                }
                for _ in 0..if most.is_some_and(|most| most <= 1) { 1 } else { rounds } {
                    self.begin_round(node, state);
                    self.walk(*body, state, witness, rounds);
                    ends.push(state.clone());
                }
                self.leave(node, ends, state, witness);
            }
            Kind::While { before, after } => {
                self.fill(node, state, witness);
                self.begin_round(node, state);
                self.walk(*before, state, witness, rounds);
                let mut ends = vec![state.clone()];
                for _ in 0..rounds {
                    self.walk(*after, state, witness, rounds);
                    self.begin_round(node, state);
                    self.walk(*before, state, witness, rounds);
                    ends.push(state.clone());
                }
                self.leave(node, ends, state, witness);
            }
            Kind::Branch { bodies, may_skip } => {
                let start = state.clone();
                let mut ends = Vec::new();
                for body in bodies {
                    let mut end = start.clone();
                    self.walk(*body, &mut end, witness, rounds);
                    ends.push(end);
                }
                if *may_skip {
                    ends.push(start);
                }
                if let Some(merged) = ends.into_iter().reduce(State::merge) {
                    *state = merged;
                }
            }
        }
    }

    /// Begins a round of a loop.
    pub(super) fn begin_round(&self, node: NodeId, state: &mut State) {
        let now = state.tick();
        state.rounds.insert(node, now);
        state.tick();
    }

    /// The sets before a loop.
    fn fill(&self, node: NodeId, state: &mut State, witness: &mut dyn Witness) {
        for flag in self.carried.get(&node).into_iter().flatten().filter(|id| self.inserted[**id].on) {
            self.set(*flag, state, witness);
        }
    }

    /// Leaves a loop, which may end after each of these states: only orders that hold in all of them remain.
    fn leave(&self, node: NodeId, mut ends: Vec<State>, state: &mut State, witness: &mut dyn Witness) {
        let last = ends.len().saturating_sub(1);
        for (at, end) in ends.iter_mut().enumerate() {
            let mut others = Vec::new();
            let seen: &mut dyn Witness = if at == last { &mut *witness } else { &mut others };
            self.drain(node, end, seen);
        }
        if let Some(merged) = ends.into_iter().reduce(State::merge) {
            *state = merged;
        }
        // Nothing that follows is in a round of it.
        state.rounds.remove(&node);
    }

    /// The waits after a loop.
    pub(super) fn drain(&self, node: NodeId, state: &mut State, witness: &mut dyn Witness) {
        for flag in self.carried.get(&node).into_iter().flatten().filter(|id| self.inserted[**id].on) {
            self.wait(*flag, node, state, witness);
        }
    }

    fn order(&self, order: Order, state: &mut State) {
        let now = state.tick();
        match order {
            Order::Set { from, to, id: Some(id) } => {
                state.set.insert((from, to, id), Capture::at(now));
            }
            Order::Wait { from, to, id: Some(id) } => {
                if let Some(capture) = state.set.remove(&(from, to, id)) {
                    state.take(from, &capture, to);
                }
            }
            // A flag that the program computes orders nothing for certain.
            Order::Set { .. } | Order::Wait { .. } => {}
            Order::Barrier(pipe) => state.barrier(pipe),
            Order::Acquire(pipe, token) => {
                for (from, at) in state.released.get(&token).cloned().unwrap_or_default() {
                    state.transfer(from, at, pipe);
                }
            }
            Order::Release(pipe, token) => {
                let list = state.released.entry(token).or_default();
                list.retain(|(other, _)| *other != pipe);
                list.push((pipe, now));
            }
        }
    }
}
