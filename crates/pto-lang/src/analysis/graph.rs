//! The control flow graph of operations: each operation is a node, an operation with regions is two.

use crate::ir::flow::Flow;
use crate::ir::{BlockId, Function, OperationId, RegionId};
use pto_isa::meaning::Meaning;

/// A node of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// An operation runs; for an operation with regions, the part before its regions.
    Enter(OperationId),
    /// The regions of an operation have completed.
    Leave(OperationId),
}

/// The control flow graph of a function, with every possible path.
///
/// If a region may be skipped, there are edges for both cases. A section for one kind of core may always be
/// skipped, because the other kind of core skips it.
#[derive(Clone, Debug)]
pub struct Graph {
    before: Vec<Vec<Node>>,
    after: Vec<Vec<Node>>,
}

impl Graph {
    /// The graph of a function.
    pub fn of(function: &Function, flow: &Flow) -> Graph {
        let count = 2 * function.operations.len();
        let mut graph = Graph { before: vec![Vec::new(); count], after: vec![Vec::new(); count] };
        let edges = Edges { function, flow };
        for id in flow.operations() {
            let mut next = Vec::new();
            edges.after_enter(*id, &mut next);
            graph.join(Node::Enter(*id), &next);
            if !function.operations[*id].regions.is_empty() {
                next.clear();
                edges.behind(*id, &mut next);
                graph.join(Node::Leave(*id), &next);
            }
        }
        graph
    }

    /// The successors of a node.
    pub fn after(&self, node: Node) -> &[Node] {
        &self.after[index(node)]
    }

    /// The predecessors of a node.
    pub fn before(&self, node: Node) -> &[Node] {
        &self.before[index(node)]
    }

    fn join(&mut self, from: Node, to: &[Node]) {
        for next in to {
            if !self.after[index(from)].contains(next) {
                self.after[index(from)].push(*next);
                self.before[index(*next)].push(from);
            }
        }
    }
}

/// The index of a node in lists with one element per node.
pub(super) fn index(node: Node) -> usize {
    match node {
        Node::Enter(id) => 2 * id.index(),
        Node::Leave(id) => 2 * id.index() + 1,
    }
}

struct Edges<'a> {
    function: &'a Function,
    flow: &'a Flow,
}

impl Edges<'_> {
    /// Adds the successors of the start of an operation.
    fn after_enter(&self, id: OperationId, next: &mut Vec<Node>) {
        let operation = &self.function.operations[id];
        match (operation.meaning(), operation.regions.as_slice()) {
            (Meaning::Return, _) => {}
            (Meaning::Branch | Meaning::BranchIf, _) => {
                operation.successors.iter().for_each(|successor| self.enter_block(successor.block, next));
            }
            (Meaning::Yield | Meaning::Condition, _) => self.ends(id, next),
            (_, []) => self.behind(id, next),
            (Meaning::While, [first, ..]) => self.enter_region(id, *first, next),
            (Meaning::Region, [first, ..]) => self.enter_region(id, *first, next),
            (Meaning::If | Meaning::Switch, regions) if regions.len() > 1 => {
                regions.iter().for_each(|region| self.enter_region(id, *region, next));
            }
            (_, regions) => {
                regions.iter().for_each(|region| self.enter_region(id, *region, next));
                next.push(Node::Leave(id));
            }
        }
    }

    /// Adds the successors of the end of an operation.
    fn behind(&self, id: OperationId, next: &mut Vec<Node>) {
        let Some((block, at)) = self.flow.place(id) else { return };
        match self.function.blocks[block].operations.get(at + 1) {
            Some(following) => next.push(Node::Enter(*following)),
            None => self.end_of(block, next),
        }
    }

    /// Adds the successors of the last operation of a block without a terminator.
    fn end_of(&self, block: BlockId, next: &mut Vec<Node>) {
        let Some(region) = self.flow.region(block) else { return };
        let Some(owner) = self.flow.owner(region) else { return };
        if self.function.operations[owner].meaning() == Meaning::For {
            self.enter_region(owner, region, next);
        }
        next.push(Node::Leave(owner));
    }

    /// Adds the successors of a yield or a condition.
    fn ends(&self, id: OperationId, next: &mut Vec<Node>) {
        let Some((block, _)) = self.flow.place(id) else { return };
        let Some(owner) = self.flow.parent(id) else { return };
        let regions = &self.function.operations[owner].regions;
        match (self.function.operations[owner].meaning(), self.function.operations[id].meaning()) {
            (Meaning::While, Meaning::Condition) => {
                regions.get(1).into_iter().for_each(|after| self.enter_region(owner, *after, next));
                next.push(Node::Leave(owner));
            }
            (Meaning::While, _) => self.enter_region(owner, regions[0], next),
            _ => self.end_of(block, next),
        }
    }

    /// Adds the first operation of a region, or the successors of an empty region.
    fn enter_region(&self, owner: OperationId, region: RegionId, next: &mut Vec<Node>) {
        let first = self.function.regions[region].blocks.first();
        match first.and_then(|block| self.function.blocks[*block].operations.first()) {
            Some(first) => next.push(Node::Enter(*first)),
            None => next.push(Node::Leave(owner)),
        }
    }

    fn enter_block(&self, block: BlockId, next: &mut Vec<Node>) {
        match self.function.blocks[block].operations.first() {
            Some(first) => next.push(Node::Enter(*first)),
            None => self.end_of(block, next),
        }
    }
}
