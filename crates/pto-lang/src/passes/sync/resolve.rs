//! Chooses flags and barriers for unordered conflicting accesses.
//!
//! Bodies are processed from the inside out. Within a body, instructions are processed in order: a wait stands right
//! before the instruction that needs it, and the set of its flag right after the instruction that it waits for. Both
//! stand in the same body, so that they are balanced on every path: if one of the accesses is in an inner loop or
//! branch, the flag is set or awaited outside of it. For an access of an earlier iteration of a loop, the flag is
//! also set once before the outermost loop that carries it and awaited once after that loop: the flag stays set from
//! one run of the loop to the next. These two operations stand as far from the loop as event ids allow, since the
//! first iteration waits for everything issued to its pipe before the set.

use super::plan::{Beside, Inserted, InsertedId, Missing, Operation, Plan, Reach};
use super::reason::Reason;
use super::state::{State, Time};
use super::tree::{BodyId, Kind, NodeId, ROOT};
use pto_isa::pipe::{EVENT_IDS, Pipe};
use std::collections::HashMap;

/// Maximum number of flags for one inner loop or branch; above it, a barrier of all pipes stands before the loop or
/// branch.
const MOST_AT_ENTRY: usize = 64;

/// Maximum number of times that a loop is begun anew because a flag was inserted into a branch of it.
const MOST_ROUNDS: usize = 64;

/// Whether the rest of a loop must be processed again, because an operation was inserted before the current point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Whole,
    Anew,
}

/// The moments at which nodes of a body ended.
type Ends = HashMap<NodeId, Time>;

/// Position of an access that must be ordered.
struct Site<'e> {
    body: BodyId,
    /// The node of the body that contains the access.
    node: NodeId,
    ends: &'e Ends,
    /// The loop around the body in its second round, and the ends in its first.
    carried: Option<(NodeId, &'e Ends)>,
}

impl Plan<'_> {
    /// Orders all accesses of the stream.
    pub(super) fn resolve(&mut self) {
        self.body(ROOT, &mut State::default());
    }

    /// Orders the accesses within a body. Returns the ends of its nodes.
    fn body(&mut self, body: BodyId, state: &mut State) -> Ends {
        let mut ends = Ends::new();
        for node in self.tree.bodies[body].nodes.clone() {
            self.inside(node);
            self.one(&Site { body, node, ends: &ends, carried: None }, state);
            ends.insert(node, state.now);
        }
        ends
    }

    /// Orders the accesses within a loop or a branch.
    fn inside(&mut self, node: NodeId) {
        match &self.tree.nodes[node].kind {
            Kind::Loop { body, rounds: most, .. } => {
                let (body, most) = (*body, most.unwrap_or(i64::MAX));
                self.body(body, &mut State::default());
                for _ in 0..if most <= 1 { 0 } else { MOST_ROUNDS } {
                    let mut state = State::default();
                    self.begin_round(node, &mut state);
                    let first = self.again(body, &mut state);
                    self.begin_round(node, &mut state);
                    if self.second_round(node, body, &mut state, &first) == Done::Whole {
                        break;
                    }
                }
            }
            Kind::While { before, after } => {
                let (before, after) = (*before, *after);
                let mut state = State::default();
                self.begin_round(node, &mut state);
                let first = self.body(before, &mut state);
                let second = self.body(after, &mut state);
                self.begin_round(node, &mut state);
                self.second_round(node, before, &mut state, &first);
                self.second_round(node, after, &mut state, &second);
            }
            Kind::Branch { bodies, .. } => {
                for body in bodies.clone() {
                    self.body(body, &mut State::default());
                }
            }
            Kind::Step(_) | Kind::Order(_) | Kind::Fence => {}
        }
    }

    /// Walks through a body whose own accesses are ordered. Returns the ends of its nodes.
    fn again(&self, body: BodyId, state: &mut State) -> Ends {
        let mut ends = Ends::new();
        for node in &self.tree.bodies[body].nodes {
            self.beside(self.before.get(node), *node, state, &mut Vec::new());
            self.node(*node, state, &mut Vec::new(), 1);
            self.beside(self.after.get(node), *node, state, &mut Vec::new());
            ends.insert(*node, state.now);
        }
        ends
    }

    /// Orders the accesses of a loop after those of its earlier rounds.
    fn second_round(&mut self, around: NodeId, body: BodyId, state: &mut State, first: &Ends) -> Done {
        let mut ends = Ends::new();
        for node in self.tree.bodies[body].nodes.clone() {
            let site = Site { body, node, ends: &ends, carried: Some((around, first)) };
            if self.one(&site, state) == Done::Anew {
                return Done::Anew;
            }
            ends.insert(node, state.now);
        }
        Done::Whole
    }

    /// Orders the accesses of one node of a body after earlier ones.
    fn one(&mut self, site: &Site<'_>, state: &mut State) -> Done {
        let node = site.node;
        self.beside(self.before.get(&node), node, state, &mut Vec::new());
        match &self.tree.nodes[node].kind {
            Kind::Step(_) => {
                for phase in self.phases(node) {
                    self.begin_phase(node, phase, state);
                    while let Some(missing) = latest(self.conflicts(node, phase, state)) {
                        self.order_after(&missing, site, state);
                    }
                    self.end_phase(node, phase, state);
                }
                self.end(node, state, &mut Vec::new());
            }
            Kind::Order(_) => self.node(node, state, &mut Vec::new(), 1),
            Kind::Fence => {
                if let Some(missing) = self.fence(node, state) {
                    self.order_after(&missing, site, state);
                }
                self.fenced(node, state);
            }
            Kind::Loop { .. } | Kind::While { .. } | Kind::Branch { .. } => {
                if self.enter(site, state) == Done::Anew {
                    return Done::Anew;
                }
            }
        }
        self.beside(self.after.get(&node), node, state, &mut Vec::new());
        Done::Whole
    }

    /// Orders the accesses in a loop or a branch after those before it.
    fn enter(&mut self, site: &Site<'_>, state: &mut State) -> Done {
        for count in 0.. {
            let mut missing = Vec::new();
            let mut trial = state.clone();
            self.node(site.node, &mut trial, &mut missing, 1);
            missing.retain(|missing| missing.time <= state.now);
            let Some(missing) = latest(missing) else {
                *state = trial;
                break;
            };
            let all = Missing { from: Pipe::All, to: Pipe::All, ..missing };
            let missing = if count < MOST_AT_ENTRY { missing } else { all };
            if self.order_after(&missing, site, state) == Done::Anew {
                return Done::Anew;
            }
        }
        Done::Whole
    }

    /// Inserts an operation that orders an access of `site` after an earlier access.
    fn order_after(&mut self, missing: &Missing, site: &Site<'_>, state: &mut State) -> Done {
        let (from, to, node) = (missing.from, missing.to, site.node);
        let second = missing.reason.second.map_or(node, |second| second.node);
        if from == to {
            let id = self.insert(Operation::Barrier(from), missing.reason);
            let at = self.within_branches(node, second);
            self.before.entry(at).or_default().push(Beside::Barrier(id));
            if at == node {
                state.tick();
                state.barrier(from);
            }
            return Done::Whole;
        }
        let nodes = &self.tree.nodes;
        let top = self.tree.ancestor(site.body, missing.node);
        let top = top.filter(|top| nodes[*top].owned == nodes[node].owned);
        match (top, site.carried) {
            (Some(top), Some((around, ends))) if missing.time <= started(state, around) => {
                let outermost = nodes[around].loops.first().copied().unwrap_or(around);
                let at = ends.get(&top).copied();
                let is_plain = matches!(nodes[around].kind, Kind::Loop { .. }) && nodes[outermost].owned;
                let Some(at) = at.filter(|_| is_plain) else {
                    self.at_once(missing, node, state);
                    return Done::Whole;
                };
                let places = self.in_common(node, missing.node, second).filter(|_| top == node);
                let inside = places.is_some();
                let (set_after, wait_before) = places.unwrap_or((top, node));
                let id = self.flag(from, to, Some(around), missing.reason, set_after, wait_before);
                self.carry(id, (from, to), outermost);
                if inside {
                    return Done::Anew;
                }
                state.tick();
                state.transfer(from, at, to);
            }
            (Some(top), _) if site.ends.contains_key(&top) => {
                let at = site.ends[&top];
                self.flag(from, to, None, missing.reason, top, node);
                state.tick();
                state.transfer(from, at, to);
            }
            _ => self.at_once(missing, node, state),
        }
        Done::Whole
    }

    /// Distance from the outermost loop at which the next loop-carried flag of a pair of pipes is set and awaited.
    fn reach(&mut self, pair: (Pipe, Pipe)) -> Reach {
        let reach = self.reaches.get(&pair).copied().unwrap_or_default();
        let far = self.far.entry(pair).or_default();
        if reach == Reach::Body && (*far == EVENT_IDS || self.has_many_loops) {
            // No event ids are left for more long-lived flags, or there are many loops, at each of which such a flag
            // costs work.
            return Reach::Loops;
        }
        *far += u8::from(reach == Reach::Body);
        reach
    }

    /// Sets a flag once before the outermost loop that carries it, and awaits it once after that loop.
    fn carry(&mut self, id: InsertedId, pair: (Pipe, Pipe), outermost: NodeId) {
        let reach = match self.is_long() {
            true => Reach::Near,
            false => self.reach(pair),
        };
        if reach == Reach::Near {
            self.carried.entry(outermost).or_default().push(id);
            return;
        }
        let nodes = &self.tree.bodies[self.tree.nodes[outermost].body].nodes;
        let at = nodes.iter().position(|node| *node == outermost).unwrap_or(0);
        let is_in_reach = |node: &&NodeId| {
            let kind = &self.tree.nodes[**node].kind;
            reach == Reach::Body || !matches!(kind, Kind::Loop { .. } | Kind::While { .. })
        };
        let is_owned = |node: &&NodeId| self.tree.nodes[**node].owned;
        let before = nodes[..at].iter().rev().take_while(is_in_reach).filter(is_owned).last();
        let after = nodes[at + 1..].iter().take_while(is_in_reach).filter(is_owned).last();
        let (first, last) = (*before.unwrap_or(&outermost), *after.unwrap_or(&outermost));
        self.before.entry(first).or_default().insert(0, Beside::Set(id));
        self.after.entry(last).or_default().push(Beside::Wait(id));
    }

    /// The nodes from one node down to another inside of it.
    fn path(&self, from: NodeId, mut to: NodeId) -> Vec<NodeId> {
        let mut path = vec![to];
        while to != from {
            let Some(owner) = self.tree.bodies[self.tree.nodes[to].body].owner else { break };
            to = owner;
            path.push(to);
        }
        path.reverse();
        path
    }

    /// The innermost node around `to`, beginning with `from`, that is entered whenever `to` runs, and as often.
    fn within_branches(&self, from: NodeId, to: NodeId) -> NodeId {
        let path = self.path(from, to);
        let is_branch = |node: &&NodeId| matches!(self.tree.nodes[**node].kind, Kind::Branch { .. });
        let branches = path.iter().take_while(is_branch).count();
        path.get(branches).copied().unwrap_or(from)
    }

    /// If two nodes are in one body of a branch: the nodes of that body that contain them.
    fn in_common(&self, around: NodeId, first: NodeId, second: NodeId) -> Option<(NodeId, NodeId)> {
        let paths = [self.path(around, first), self.path(around, second)];
        let mut found = None;
        for (at, (a, b)) in paths[0].iter().zip(&paths[1]).enumerate() {
            if at > 0 && self.tree.nodes[*a].body != self.tree.nodes[*b].body {
                break;
            }
            found = (at > 0).then_some((*a, *b));
            if a != b || !matches!(self.tree.nodes[*a].kind, Kind::Branch { .. }) {
                break;
            }
        }
        found
    }

    /// Makes the scalar unit wait for a pipe right before a node; set and wait are adjacent, so they are balanced
    /// everywhere.
    pub(super) fn at_once(&mut self, missing: &Missing, node: NodeId, state: &mut State) {
        self.through_scalar(missing.from, missing.reason, node);
        let now = state.tick();
        state.transfer(missing.from, now, Pipe::Scalar);
    }

    /// Inserts a flag to the scalar unit that is set and awaited right before a node.
    pub(super) fn through_scalar(&mut self, from: Pipe, reason: Reason, node: NodeId) {
        let id = self.insert(Operation::Flag { from, to: Pipe::Scalar, carried: None }, reason);
        self.before.entry(node).or_default().extend([Beside::Set(id), Beside::Wait(id)]);
    }

    /// Inserts a flag that is set after one node and awaited before another.
    fn flag(
        &mut self,
        from: Pipe,
        to: Pipe,
        carried: Option<NodeId>,
        reason: Reason,
        set: NodeId,
        wait: NodeId,
    ) -> InsertedId {
        let id = self.insert(Operation::Flag { from, to, carried }, reason);
        self.after.entry(set).or_default().push(Beside::Set(id));
        self.before.entry(wait).or_default().push(Beside::Wait(id));
        id
    }

    pub(super) fn insert(&mut self, operation: Operation, reason: Reason) -> InsertedId {
        self.inserted.push(Inserted { what: operation, reason, id: 0, on: true });
        self.inserted.len() - 1
    }
}

/// Time at which the current round of a loop began.
fn started(state: &State, around: NodeId) -> Time {
    state.rounds.get(&around).copied().unwrap_or(0)
}

/// The first pair of pipes among conflicts, with the latest of its accesses: a wait for that access is a wait for all
/// accesses of the pair.
fn latest(found: Vec<Missing>) -> Option<Missing> {
    let first = found.first()?;
    let pair = (first.from, first.to);
    found.into_iter().filter(|missing| (missing.from, missing.to) == pair).max_by_key(|missing| missing.time)
}
