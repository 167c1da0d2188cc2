//! Fewer operations at the price of overlap: barriers of all pipes instead of flags.

use super::plan::{Beside, InsertedId, Operation, Plan};
use super::tree::NodeId;
use pto_isa::pipe::Pipe;

impl Plan<'_> {
    /// Tries a barrier of all pipes before each instruction that waits for flags. Keeps a barrier if it makes at
    /// least two operations superfluous.
    pub(super) fn use_barriers(&mut self) {
        let end = self.work.get() + self.search;
        let nodes: Vec<NodeId> = self.before.keys().copied().collect();
        for node in nodes {
            let awaited = self.before[&node].iter().find_map(|beside| match beside {
                Beside::Wait(id) if self.inserted[*id].on => Some(*id),
                _ => None,
            });
            let Some(awaited) = awaited.filter(|_| self.work.get() < end) else { continue };
            let barrier = self.insert(Operation::Barrier(Pipe::All), self.inserted[awaited].reason);
            self.before.entry(node).or_default().push(Beside::Barrier(barrier));
            let removed = self.remove_superfluous(Some(barrier), end);
            if removed.iter().map(|id| self.operations(*id)).sum::<usize>() < 2 {
                self.inserted[barrier].on = false;
                removed.into_iter().for_each(|id| self.inserted[id].on = true);
            }
        }
    }

    /// The operations in the text: barriers, and sets of flags. A flag that a loop carries is also set before the loop.
    fn operations(&self, id: InsertedId) -> usize {
        match self.inserted[id].what {
            Operation::Flag { carried: Some(_), .. } => 2,
            _ => 1,
        }
    }
}
