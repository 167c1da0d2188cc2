//! The instruction stream of one core as a tree: instructions and synchronization as leaves, loops and branches as inner nodes.

mod planter;

use super::regions::{Regions, Step};
use super::state::PIPES;
use crate::ir::{Function, FunctionId, Module, Names, Operation, OperationId};
pub(super) use planter::Planter;
use pto_isa::meaning::{Core, Meaning};
use pto_isa::pipe::Pipe;
use std::collections::HashMap;

/// The index of a node.
pub(super) type NodeId = usize;
/// The index of a body.
pub(super) type BodyId = usize;

/// Maximum number of loops around an instruction for which flags are chosen; each deeper instruction gets a barrier.
pub(super) const DEEPEST: usize = 6;

/// Synchronization that the program has already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// `id` is `None` if the program computes it.
    Set {
        from: Pipe,
        to: Pipe,
        id: Option<u8>,
    },
    Wait {
        from: Pipe,
        to: Pipe,
        id: Option<u8>,
    },
    Barrier(Pipe),
    Acquire(Pipe, u32),
    Release(Pipe, u32),
}

/// Kind of a node.
#[derive(Debug)]
pub(super) enum Kind {
    Step(Step),
    Order(Order),
    Loop {
        body: BodyId,
        /// Whether the loop may have no round.
        may_skip: bool,
        /// Maximum number of rounds, if it is known.
        rounds: Option<i64>,
    },
    While {
        before: BodyId,
        after: BodyId,
    },
    /// One of these bodies runs, or none.
    Branch {
        bodies: Vec<BodyId>,
        may_skip: bool,
    },
    /// An operation that begins after all earlier instructions have ended, and that all later ones wait for.
    Fence,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) operation: OperationId,
    pub(super) kind: Kind,
    pub(super) body: BodyId,
    /// Whether operations placed next to this one run on this core only.
    pub(super) owned: bool,
    /// The loops around the node, outermost first.
    pub(super) loops: Vec<NodeId>,
}

#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) nodes: Vec<NodeId>,
    /// The node that contains the body.
    pub(super) owner: Option<NodeId>,
}

/// The instruction stream of a core.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) bodies: Vec<Body>,
    pub(super) regions: Regions,
    /// For each pipe, whether it is unused, so that it waits for nothing.
    pub(super) idle: [bool; PIPES],
    /// Whether there is an operation that waits for everything.
    pub(super) has_fence: bool,
}

/// The body of the function.
pub(super) const ROOT: BodyId = 0;

impl Tree {
    /// Learns until when regions matter, and which pipes wait.
    fn expire(&mut self) {
        // Nodes are numbered in text order, a loop before those in it.
        let mut ends: HashMap<NodeId, NodeId> = HashMap::new();
        for (at, node) in self.nodes.iter().enumerate() {
            ends.extend(node.loops.first().map(|outermost| (*outermost, at)));
        }
        let end = |at: NodeId| {
            let outermost = self.nodes[at].loops.first().copied();
            outermost.and_then(|outermost| ends.get(&outermost).copied()).unwrap_or(at)
        };
        let mut last_accesses = Vec::new();
        let mut last_fence = None;
        for (at, node) in self.nodes.iter().enumerate() {
            match &node.kind {
                Kind::Step(step) => {
                    last_accesses.extend(step.touches.iter().map(|touch| (touch.region, end(at))));
                }
                Kind::Fence => last_fence = last_fence.max(Some(end(at))),
                _ => {}
            }
        }
        self.regions.expire(last_accesses.into_iter(), last_fence);
        self.has_fence = last_fence.is_some();
        // The operations of a fence may use any pipe.
        self.idle = if self.has_fence { [false; PIPES] } else { self.idle_pipes() };
    }

    /// The pipes that run no instruction, and for which nothing waits.
    fn idle_pipes(&self) -> [bool; PIPES] {
        let mut idle = [true; PIPES];
        let mut use_pipe = |pipe: Pipe| {
            idle.iter_mut()
                .enumerate()
                .filter(|(at, _)| *at == pipe as usize)
                .for_each(|(_, idle)| *idle = false);
        };
        for node in &self.nodes {
            match &node.kind {
                Kind::Step(step) => {
                    step.phases.iter().for_each(|pipe| use_pipe(*pipe));
                    step.touches.iter().for_each(|touch| use_pipe(touch.pipe));
                    let own = step.handshakes.before.iter().chain(step.handshakes.after);
                    own.flat_map(|(from, to)| [*from, *to]).for_each(&mut use_pipe);
                }
                Kind::Order(Order::Set { from, to, .. } | Order::Wait { from, to, .. }) => {
                    use_pipe(*from);
                    use_pipe(*to);
                }
                Kind::Order(Order::Barrier(pipe) | Order::Acquire(pipe, _) | Order::Release(pipe, _)) => {
                    use_pipe(*pipe);
                }
                _ => {}
            }
        }
        idle
    }

    /// The node of a body that is, or contains, a node; `None` if the node is elsewhere.
    pub(super) fn ancestor(&self, body: BodyId, mut node: NodeId) -> Option<NodeId> {
        loop {
            let inside = self.nodes[node].body;
            if inside == body {
                return Some(node);
            }
            node = self.bodies[inside].owner?;
        }
    }
}

/// The kinds of cores that run a function with instructions of their own; `None` is a single core.
pub(super) fn cores(module: &Module, id: FunctionId) -> Vec<Option<Core>> {
    let function = &module.functions[id];
    let names = Names::of(module);
    let has = |core: Core| {
        function.operations.iter().any(|(_, operation)| match operation.meaning() {
            Meaning::Section(of) => of == core,
            Meaning::Call => callee(&names, function, operation)
                .is_some_and(|callee| module.functions[callee].core() == Some(core)),
            _ => false,
        })
    };
    match function.core() {
        None if has(Core::Cube) && has(Core::Vector) => vec![Some(Core::Cube), Some(Core::Vector)],
        _ => vec![None],
    }
}

fn callee(names: &Names<'_>, function: &Function, operation: &Operation) -> Option<FunctionId> {
    names.find(function, operation.symbol("callee")?)
}
