//! Removes what turns out to be superfluous once everything is inserted.

use super::plan::{Beside, InsertedId, Operation, Plan};
use super::tree::{DEEPEST, NodeId};

/// Most visits of nodes that a search for superfluous operations may take.
const MOST_VISITS: usize = 4_000_000;

impl Plan<'_> {
    /// Removes inserted operations without which all accesses are still ordered, those in the innermost loops first.
    pub(super) fn prune(&mut self) {
        if self.inserted.len().saturating_mul(self.tree.nodes.len()) > MOST_VISITS || !self.open().is_empty()
        {
            return;
        }
        // Loops that are too deep are walked through once, which does not show what their later rounds need.
        let order = (0..self.inserted.len()).map(|id| (self.cost(id), id));
        let mut order: Vec<_> = order.filter(|((_, depth, _), _)| *depth <= DEEPEST).collect();
        order.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
        let order: Vec<InsertedId> = order.into_iter().map(|(_, id)| id).collect();
        for id in order {
            self.inserted[id].on = false;
            if !self.open().is_empty() {
                self.inserted[id].on = true;
            }
        }
    }

    /// What an operation costs: barriers of all pipes most, then the depth in loops, then flags that loops carry.
    fn cost(&self, id: InsertedId) -> (bool, usize, bool) {
        let is_it = |beside: &Beside| matches!(beside, Beside::Set(it) | Beside::Wait(it) | Beside::Barrier(it) if *it == id);
        let depth = |node: &NodeId| self.tree.nodes[*node].loops.len();
        let places = self.before.iter().chain(&self.after);
        let deepest = places.filter(|(_, list)| list.iter().any(is_it)).map(|(node, _)| depth(node)).max();
        let (wide, carried) = match self.inserted[id].what {
            Operation::Flag { carried, .. } => (false, carried.is_some()),
            Operation::Barrier(pipe) => (pipe == crate::isa::pipe::Pipe::All, false),
            Operation::Token { .. } => (false, false),
        };
        (wide, deepest.unwrap_or(0), carried)
    }
}
