//! Joins flags of one pair of pipes.
//!
//! Two flags from pipe P to pipe Q become one flag, set at the later of the two sets and awaited at the earlier wait.
//! The join is free if it delays no instruction: if P has no instruction between the two sets, or both waits precede
//! the same instruction. Otherwise Q waits for more of P than it needs, which saves one operation: [`Joins::Near`]
//! allows it if one instruction of P, or one of Q, lies between. Loads are never joined into later loads, since a
//! program uses loaded tiles one by one while the next loads run.

use super::plan::{Beside, InsertedId, Operation, Plan};
use super::tree::{BodyId, Kind, NodeId};
use pto_isa::pipe::Pipe;
use std::collections::BTreeMap;

/// A flag with one set and one wait, both in one body.
#[derive(Clone, Copy, Debug)]
struct Span {
    id: InsertedId,
    /// Positions in the body of the node before the set, and of the node after the wait.
    set: usize,
    wait: usize,
    /// Position of the last wait that was joined.
    last: usize,
}

/// Flags that may be joined: pipes, the body, and whether a loop carries them.
type Group = (Pipe, Pipe, BodyId, bool);

/// The flags that are joined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Joins {
    /// Flags whose join delays nothing.
    #[default]
    Free,
    /// In addition flags with one instruction between, except flags after loads: fewer operations, less overlap.
    Near,
}

impl Plan<'_> {
    /// Joins flags.
    pub(super) fn coalesce(&mut self, joins: Joins) {
        let joins = if self.is_long() { Joins::Near } else { joins };
        for ((from, to, body, carried), mut spans) in self.spans() {
            spans.sort_by_key(|span| (span.wait, span.set));
            let (waiting, setting) = (self.busy(body, to), self.busy(body, from));
            let count = |busy: &[bool]| busy.iter().filter(|busy| **busy).count();
            let is_load = matches!(from, Pipe::Mte2 | Pipe::Mte1);
            let most = usize::from(joins == Joins::Near && !is_load);
            let mut open: Option<Span> = None;
            for span in spans {
                let Some(first) = open.as_mut() else {
                    open = Some(span);
                    continue;
                };
                // Waits stand before their nodes, sets after them.
                let (early, late) = (first.set.min(span.set), first.set.max(span.set));
                let is_near = count(&waiting[first.last..span.wait]) <= most
                    || count(&setting[early + 1..=late]) <= most;
                if is_near && (carried || span.set < first.wait) {
                    self.join(body, first, span);
                } else {
                    open = Some(span);
                }
            }
        }
    }

    /// Extends the first flag to cover the second, and removes the second.
    fn join(&mut self, body: BodyId, first: &mut Span, second: Span) {
        if second.set > first.set {
            let nodes = &self.tree.bodies[body].nodes;
            let (from, to) = (nodes[first.set], nodes[second.set]);
            self.after.entry(from).or_default().retain(|beside| *beside != Beside::Set(first.id));
            self.after.entry(to).or_default().push(Beside::Set(first.id));
            first.set = second.set;
        }
        first.last = second.wait;
        self.inserted[second.id].on = false;
    }

    /// The flags by group.
    fn spans(&self) -> BTreeMap<Group, Vec<Span>> {
        let index: BTreeMap<NodeId, usize> = self
            .tree
            .bodies
            .iter()
            .flat_map(|body| body.nodes.iter().enumerate().map(|(at, node)| (*node, at)))
            .collect();
        let mut sets: BTreeMap<InsertedId, NodeId> = BTreeMap::new();
        for (node, list) in &self.after {
            sets.extend(list.iter().filter_map(|beside| match beside {
                Beside::Set(id) => Some((*id, *node)),
                _ => None,
            }));
        }
        let mut spans: BTreeMap<Group, Vec<Span>> = BTreeMap::new();
        for (node, list) in &self.before {
            for beside in list {
                let Beside::Wait(id) = *beside else { continue };
                let (Some(set), Operation::Flag { from, to, carried }) =
                    (sets.get(&id), self.inserted[id].what)
                else {
                    continue;
                };
                let body = self.tree.nodes[*node].body;
                if self.inserted[id].on && self.tree.nodes[*set].body == body {
                    let (set, wait) = (index[set], index[node]);
                    let group = (from, to, body, carried.is_some());
                    spans.entry(group).or_default().push(Span { id, set, wait, last: wait });
                }
            }
        }
        spans
    }

    /// For each node of a body, whether it has an instruction of a pipe.
    fn busy(&self, body: BodyId, pipe: Pipe) -> Vec<bool> {
        self.tree.bodies[body].nodes.iter().map(|node| self.has(*node, pipe)).collect()
    }

    fn has(&self, node: NodeId, pipe: Pipe) -> bool {
        match &self.tree.nodes[node].kind {
            Kind::Step(step) => step.phases.contains(&pipe),
            Kind::Order(_) => false,
            Kind::Fence => true,
            Kind::Loop { body, .. } => self.busy(*body, pipe).contains(&true),
            Kind::While { before, after } => {
                self.busy(*before, pipe).contains(&true) || self.busy(*after, pipe).contains(&true)
            }
            Kind::Branch { bodies, .. } => bodies.iter().any(|body| self.busy(*body, pipe).contains(&true)),
        }
    }
}
