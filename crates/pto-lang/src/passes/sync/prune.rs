//! Removes operations that later insertions have made superfluous.

use super::plan::{Beside, Inserted, InsertedId, Operation, Plan};
use super::tree::DEEPEST;
use pto_isa::pipe::Pipe;

/// Maximum work of a search for superfluous operations, as counted by a plan, unless options set another.
pub(in crate::passes) const MOST_WORK: usize = 5_000_000;

impl Plan<'_> {
    /// Removes inserted operations without which all accesses are still ordered, those in the innermost loops first.
    /// In long programs only some are tried.
    pub(super) fn prune(&mut self) {
        if self.is_ordered() {
            self.remove_superfluous(None, self.work.get() + self.search);
        }
    }

    /// Removes operations without which all accesses are still ordered, until the work of the plan is `end`. `kept`
    /// stays. Returns the removed operations.
    pub(super) fn remove_superfluous(&mut self, kept: Option<InsertedId>, end: usize) -> Vec<InsertedId> {
        // Operations in too deep loops stay: such loops are walked only once, which does not show the needs of later
        // iterations.
        let on = (0..self.inserted.len()).filter(|id| self.inserted[*id].on && Some(*id) != kept);
        let costs = self.costs();
        let order = on.map(|id| (costs[id], id));
        let mut order: Vec<_> = order.filter(|((_, depth, ..), _)| *depth <= DEEPEST).collect();
        order.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
        let order: Vec<InsertedId> = order.into_iter().map(|(_, id)| id).collect();
        let mut removed = Vec::new();
        for id in order {
            if self.work.get() >= end {
                break;
            }
            self.inserted[id].on = false;
            match self.is_ordered() {
                true => removed.push(id),
                false => self.inserted[id].on = true,
            }
        }
        removed
    }

    /// Cost of each operation: barriers of all pipes first, then the depth in loops, then waits of the scalar unit, then flags
    /// that loops carry.
    fn costs(&self) -> Vec<(bool, usize, bool, bool)> {
        let cost = |inserted: &Inserted| {
            let is_wide = inserted.what == Operation::Barrier(Pipe::All);
            let stops_all = matches!(inserted.what, Operation::Flag { to: Pipe::Scalar, .. });
            let is_carried = matches!(inserted.what, Operation::Flag { carried: Some(_), .. });
            (is_wide, 0, stops_all, is_carried)
        };
        let mut costs: Vec<_> = self.inserted.iter().map(cost).collect();
        for (node, list) in self.before.iter().chain(&self.after) {
            let depth = self.tree.nodes[*node].loops.len();
            for beside in list {
                if let Beside::Set(id) | Beside::Wait(id) | Beside::Barrier(id) = beside {
                    costs[*id].1 = costs[*id].1.max(depth);
                }
            }
        }
        costs
    }
}
