//! Positions of the operations of a function, and dominance.

use super::{BlockId, Function, OperationId, RegionId, ValueId};
use std::collections::HashMap;

/// The structure of a function: the block of each operation, the region of each block, the operation of each
/// region; and the dominators of blocks.
///
/// It is a snapshot and does not follow later changes of the function.
#[derive(Clone, Debug)]
pub struct Flow {
    order: Vec<OperationId>,
    /// Block and index of each operation; `None` if it is in no block.
    places: Vec<Option<(BlockId, usize)>>,
    /// The region of each block.
    regions: Vec<Option<RegionId>>,
    /// The operation that contains a region; `None` for the body of the function.
    owners: Vec<Option<OperationId>>,
    /// The immediate dominator of each block, among the blocks of its region.
    dominators: Vec<Option<BlockId>>,
    /// The definition of each value.
    definitions: Vec<Option<Definition>>,
}

/// The definition of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Definition {
    /// A result of an operation.
    Operation(OperationId),
    /// An argument of a block.
    Block(BlockId),
    /// An argument of the function.
    Function,
}

impl Flow {
    /// Computes the structure of a function.
    pub fn of(function: &Function) -> Flow {
        let mut flow = Flow {
            order: Vec::with_capacity(function.operations.len()),
            places: vec![None; function.operations.len()],
            regions: vec![None; function.blocks.len()],
            owners: vec![None; function.regions.len()],
            dominators: vec![None; function.blocks.len()],
            definitions: vec![None; function.values.len()],
        };
        for argument in &function.arguments {
            flow.definitions[argument.value.index()] = Some(Definition::Function);
        }
        let mut open: Vec<OperationId> = Vec::new();
        let start = |flow: &mut Flow, region: RegionId, open: &mut Vec<OperationId>| {
            let blocks = &function.regions[region].blocks;
            for (block, dominator) in blocks.iter().zip(immediate(function, blocks)) {
                flow.regions[block.index()] = Some(region);
                flow.dominators[block.index()] = dominator.map(|index| blocks[index]);
                let defined = Some(Definition::Block(*block));
                for argument in &function.blocks[*block].arguments {
                    flow.definitions[argument.index()] = defined;
                }
                for (index, operation) in function.blocks[*block].operations.iter().enumerate() {
                    flow.places[operation.index()] = Some((*block, index));
                }
            }
            // Pushed in reverse, so that the stack pops them in order.
            let inside =
                blocks.iter().rev().flat_map(|block| function.blocks[*block].operations.iter().rev());
            open.extend(inside);
        };
        if let Some(body) = function.body {
            start(&mut flow, body, &mut open);
        }
        while let Some(id) = open.pop() {
            flow.order.push(id);
            let operation = &function.operations[id];
            for result in &operation.results {
                flow.definitions[result.index()] = Some(Definition::Operation(id));
            }
            for region in operation.regions.iter().rev() {
                flow.owners[region.index()] = Some(id);
                start(&mut flow, *region, &mut open);
            }
        }
        flow
    }

    /// Every operation of the function in text order: an operation precedes the operations in its regions.
    pub fn operations(&self) -> &[OperationId] {
        &self.order
    }

    /// The block that holds an operation, and its index there; `None` if it is in no block.
    pub fn place(&self, operation: OperationId) -> Option<(BlockId, usize)> {
        self.places.get(operation.index()).copied().flatten()
    }

    /// The region that holds a block.
    pub fn region(&self, block: BlockId) -> Option<RegionId> {
        self.regions.get(block.index()).copied().flatten()
    }

    /// The operation that contains a region; `None` for the body of the function.
    pub fn owner(&self, region: RegionId) -> Option<OperationId> {
        self.owners.get(region.index()).copied().flatten()
    }

    /// The operation whose region contains an operation.
    pub fn parent(&self, operation: OperationId) -> Option<OperationId> {
        self.owner(self.region(self.place(operation)?.0)?)
    }

    /// The operations that contain an operation, innermost first.
    pub fn around(&self, operation: OperationId) -> impl Iterator<Item = OperationId> + '_ {
        std::iter::successors(self.parent(operation), |parent| self.parent(*parent))
    }

    /// The definition of a value.
    pub fn definition(&self, value: ValueId) -> Option<Definition> {
        self.definitions.get(value.index()).copied().flatten()
    }

    /// Whether `earlier` has completed on every path to `later`, so that its results may be used there.
    pub fn dominates(&self, earlier: OperationId, later: OperationId) -> bool {
        let Some((block, index)) = self.place(earlier) else { return false };
        let Some((other, position)) = self.within(block, later) else { return false };
        if block == other { index < position } else { self.block_dominates(block, other) }
    }

    /// Whether the definition of a value dominates an operation.
    pub fn reaches(&self, value: ValueId, user: OperationId) -> bool {
        match self.definition(value) {
            Some(Definition::Function) => true,
            Some(Definition::Operation(operation)) => self.dominates(operation, user),
            Some(Definition::Block(block)) => self
                .within(block, user)
                .is_some_and(|(other, _)| block == other || self.block_dominates(block, other)),
            None => false,
        }
    }

    /// Whether every path from the entry to block `later` passes through block `earlier` of its region.
    fn block_dominates(&self, earlier: BlockId, later: BlockId) -> bool {
        let up = |block: &BlockId| self.dominators[block.index()];
        std::iter::successors(up(&later), up).any(|block| block == earlier)
    }

    /// Block and index of an operation, or of the operation that contains it, in the region of a block.
    fn within(&self, block: BlockId, operation: OperationId) -> Option<(BlockId, usize)> {
        let region = self.region(block);
        std::iter::once(operation)
            .chain(self.around(operation))
            .filter_map(|operation| self.place(operation))
            .find(|(other, _)| self.region(*other) == region)
    }
}

/// The tree of immediate dominators; its roots are the entry and every unreachable block.
pub(crate) struct Children {
    children: Vec<Vec<usize>>,
    root: Vec<bool>,
}

impl Children {
    /// The tree of the blocks of a region; the first one is the entry.
    pub(crate) fn of(function: &Function, blocks: &[BlockId]) -> Children {
        let mut tree = Children { children: vec![Vec::new(); blocks.len()], root: vec![false; blocks.len()] };
        for (block, dominator) in immediate(function, blocks).into_iter().enumerate() {
            match dominator {
                Some(dominator) => tree.children[dominator].push(block),
                None => tree.root[block] = true,
            }
        }
        tree
    }

    /// Blocks whose immediate dominator is this one, by index.
    pub(crate) fn under(&self, block: usize) -> &[usize] {
        &self.children[block]
    }

    /// Whether the block has no dominator.
    pub(crate) fn is_root(&self, block: usize) -> bool {
        self.root[block]
    }
}

/// The immediate dominators of the blocks of a region, by index; the first block is the entry. `None` for the
/// entry and for unreachable blocks. Uses the iteration of Cooper, Harvey and Kennedy, "A simple, fast dominance
/// algorithm".
fn immediate(function: &Function, blocks: &[BlockId]) -> Vec<Option<usize>> {
    if blocks.len() <= 1 {
        return vec![None; blocks.len()];
    }
    let index_of: HashMap<BlockId, usize> =
        blocks.iter().enumerate().map(|(index, block)| (*block, index)).collect();
    let successors = |block: usize| {
        let last = function.blocks[blocks[block]].operations.last();
        let targets = last.map(|id| function.operations[*id].successors.as_slice()).unwrap_or_default();
        targets.iter().filter_map(|target| index_of.get(&target.block).copied())
    };
    let mut predecessors = vec![Vec::new(); blocks.len()];
    for block in 0..blocks.len() {
        successors(block).for_each(|target| predecessors[target].push(block));
    }
    let order = postorder(blocks.len(), |block, at| successors(block).nth(at));
    let mut rank = vec![usize::MAX; blocks.len()];
    order.iter().enumerate().for_each(|(position, block)| rank[*block] = position);
    let mut dominator: Vec<Option<usize>> = vec![None; blocks.len()];
    dominator[0] = Some(0);
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev().filter(|block| **block != 0) {
            let known = predecessors[block].iter().copied().filter(|from| dominator[*from].is_some());
            let best = known.reduce(|a, b| meet(&dominator, &rank, a, b));
            if best.is_some() && dominator[block] != best {
                dominator[block] = best;
                changed = true;
            }
        }
    }
    dominator[0] = None;
    dominator
}

/// The blocks reachable from the entry, in postorder.
fn postorder(count: usize, successor: impl Fn(usize, usize) -> Option<usize>) -> Vec<usize> {
    let mut order = Vec::new();
    if count == 0 {
        return order;
    }
    let mut seen = vec![false; count];
    seen[0] = true;
    let mut open = vec![(0, 0)];
    while let Some((block, at)) = open.last_mut() {
        let block = *block;
        match successor(block, *at) {
            Some(next) => {
                *at += 1;
                if !std::mem::replace(&mut seen[next], true) {
                    open.push((next, 0));
                }
            }
            None => {
                order.push(block);
                open.pop();
            }
        }
    }
    order
}

/// The nearest common dominator of two blocks.
fn meet(dominator: &[Option<usize>], rank: &[usize], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        while rank[a] < rank[b] {
            a = dominator[a].unwrap_or(0);
        }
        while rank[b] < rank[a] {
            b = dominator[b].unwrap_or(0);
        }
    }
    a
}
