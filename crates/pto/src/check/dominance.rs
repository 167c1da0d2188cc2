//! Which blocks of a region come before which on every path.

use crate::ir::{BlockId, Function};
use std::collections::HashMap;

/// The tree of immediate dominators: the entry is a root, and so is every block that nothing reaches.
pub(super) struct Children {
    children: Vec<Vec<usize>>,
    root: Vec<bool>,
}

impl Children {
    /// Blocks whose immediate dominator is this one, by index.
    pub(super) fn of(&self, block: usize) -> &[usize] {
        &self.children[block]
    }

    /// Whether no block dominates this one.
    pub(super) fn is_root(&self, block: usize) -> bool {
        self.root[block]
    }
}

/// The tree of the blocks of a region, the first being its entry. By the iteration of Cooper, Harvey and
/// Kennedy, "A simple, fast dominance algorithm".
pub(super) fn children(function: &Function, blocks: &[BlockId]) -> Children {
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
    if let Some(entry) = dominator.first_mut() {
        *entry = Some(0);
    }
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
    let mut tree = Children { children: vec![Vec::new(); blocks.len()], root: vec![false; blocks.len()] };
    for (block, dominator) in dominator.iter().enumerate() {
        match dominator.filter(|dominator| *dominator != block) {
            Some(dominator) => tree.children[dominator].push(block),
            None => tree.root[block] = true,
        }
    }
    tree
}

/// Blocks that the entry reaches, each behind those that it reaches first.
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

/// The last block that dominates both.
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
