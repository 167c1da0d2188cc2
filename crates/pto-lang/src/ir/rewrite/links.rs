//! The operations of each block as a linked list, so that insertion and removal take constant time.

use super::{Point, Rewriter, uses_of};
use crate::ir::{BlockId, OperationId, RegionId};

/// Neighbours of an operation in its block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Link {
    pub(super) block: Option<BlockId>,
    pub(super) before: Option<OperationId>,
    pub(super) after: Option<OperationId>,
}

/// First and last operation of a block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    pub(super) first: Option<OperationId>,
    pub(super) last: Option<OperationId>,
}

impl Rewriter<'_> {
    /// Links the operations of all reachable blocks.
    pub(super) fn link(&mut self) {
        let mut open: Vec<RegionId> = self.function.body.into_iter().collect();
        while let Some(region) = open.pop() {
            for block in self.function.regions[region].blocks.clone() {
                self.regions[block.index()] = Some(region);
                for id in std::mem::take(&mut self.function.blocks[block].operations) {
                    self.attach(id, Point::End(block));
                    self.note_uses(id);
                    for inner in self.function.operations[id].regions.clone() {
                        self.owners[inner.index()] = Some(id);
                        open.push(inner);
                    }
                }
            }
        }
    }

    pub(super) fn attach(&mut self, id: OperationId, point: Point) {
        let (block, before, after) = match point {
            Point::Before(other) => {
                (self.links[other.index()].block, self.links[other.index()].before, Some(other))
            }
            Point::After(other) => {
                (self.links[other.index()].block, Some(other), self.links[other.index()].after)
            }
            Point::Start(block) => (Some(block), None, self.ends[block.index()].first),
            Point::End(block) => (Some(block), self.ends[block.index()].last, None),
        };
        self.links[id.index()] = Link { block, before, after };
        self.join(block, before, Some(id));
        self.join(block, Some(id), after);
    }

    pub(super) fn detach(&mut self, id: OperationId) {
        let Link { block, before, after } = std::mem::take(&mut self.links[id.index()]);
        self.join(block, before, after);
    }

    /// Links two operations of a block; `None` is the block's start or end.
    fn join(&mut self, block: Option<BlockId>, before: Option<OperationId>, after: Option<OperationId>) {
        let Some(block) = block else { return };
        match before {
            Some(before) => self.links[before.index()].after = after,
            None => self.ends[block.index()].first = after,
        }
        match after {
            Some(after) => self.links[after.index()].before = before,
            None => self.ends[block.index()].last = before,
        }
    }

    pub(super) fn note_uses(&mut self, id: OperationId) {
        for value in uses_of(&self.function.operations[id]) {
            self.users[value.index()].push(id);
        }
    }

    /// Removes an operation and the operations in its regions from the function.
    pub(super) fn forget(&mut self, id: OperationId) {
        for region in self.function.operations[id].regions.clone() {
            for block in self.function.regions[region].blocks.clone() {
                for inner in self.operations(block).collect::<Vec<_>>() {
                    self.forget(inner);
                }
            }
        }
        self.detach(id);
    }
}
