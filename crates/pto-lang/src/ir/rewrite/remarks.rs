//! Comments while a function changes.

use super::Rewriter;
use crate::ir::comments::Spot;
use crate::ir::{BlockId, Comment, OperationId};

impl Rewriter<'_> {
    /// The spot at the end of a block.
    pub(super) fn end_of(&self, block: BlockId) -> Spot {
        let Some(region) = self.regions[block.index()] else { return Spot::AboveBlock(block) };
        let blocks = &self.function.regions[region].blocks;
        let at = blocks.iter().position(|other| *other == block);
        match at.and_then(|at| blocks.get(at + 1)) {
            Some(next) => Spot::AboveBlock(*next),
            None => Spot::Closing(region),
        }
    }

    /// Removes and returns the comments of an operation and of its regions, in order, as non-trailing comments.
    pub(super) fn take_comments(&mut self, id: OperationId) -> Vec<Comment> {
        let mut taken = Vec::new();
        self.take(Spot::Above(id), &mut taken);
        for region in self.function.operations[id].regions.clone() {
            self.take(Spot::Opening(region), &mut taken);
            for block in self.function.regions[region].blocks.clone() {
                self.take(Spot::AboveBlock(block), &mut taken);
                self.take(Spot::BehindBlock(block), &mut taken);
                for inner in self.operations(block).collect::<Vec<_>>() {
                    taken.extend(self.take_comments(inner));
                }
            }
            self.take(Spot::Closing(region), &mut taken);
        }
        self.take(Spot::Behind(id), &mut taken);
        taken
    }

    fn take(&mut self, spot: Spot, taken: &mut Vec<Comment>) {
        let lines = self.comments.remove(&spot).unwrap_or_default();
        taken.extend(lines.into_iter().map(|comment| Comment { trailing: false, ..comment }));
    }
}
