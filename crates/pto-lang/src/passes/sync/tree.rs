//! The instruction stream of one core as a tree: instructions and synchronization as leaves, loops and branches as inner nodes.

use super::regions::{Regions, Step};
use super::state::PIPES;
use crate::analysis::Facts;
use crate::analysis::accesses::{Accessed, Accesses, Bytes, Issue};
use crate::analysis::linear::Bounds;
use crate::ir::{self, Function, FunctionId, Module, Names, Operation, OperationId, RegionId};
use pto_isa::meaning::{Core, Meaning};
use pto_isa::op::effect::{Access, Handshakes};
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use std::collections::HashMap;

/// The index of a node.
pub(super) type NodeId = usize;
/// The index of a body.
pub(super) type BodyId = usize;

/// Most loops around an instruction for which flags are chosen; instructions that are deeper get a barrier each.
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
        /// Whether it may have no round.
        may_skip: bool,
        /// The most rounds, if they are known.
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
    /// An operation that needs all earlier instructions to have ended, and all later ones to wait for it.
    Fence,
}

#[derive(Debug)]
pub(super) struct Node {
    pub(super) operation: OperationId,
    pub(super) kind: Kind,
    pub(super) body: BodyId,
    /// Whether only this core runs what stands beside the operation.
    pub(super) owned: bool,
    /// The loops around it, outermost first.
    pub(super) loops: Vec<NodeId>,
}

#[derive(Debug, Default)]
pub(super) struct Body {
    pub(super) nodes: Vec<NodeId>,
    /// The node of which it is a part.
    pub(super) owner: Option<NodeId>,
}

/// The instruction stream of a core.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) bodies: Vec<Body>,
    pub(super) regions: Regions,
    /// For each pipe, whether nothing uses it, so that it waits for nothing.
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
        // What a fence stands for may use any pipe.
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

/// The kinds of cores that run a function with instructions of their own; `None` stands for a single core.
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

/// Builds the tree of a function.
pub(super) struct Planter<'a> {
    module: &'a Module,
    function: &'a Function,
    names: Names<'a>,
    accesses: &'a Accesses<'a>,
    profile: Profile,
    /// The core, if others run parts of the function.
    core: Option<Core>,
    tree: Tree,
    loops: Vec<NodeId>,
    owned: bool,
}

impl<'a> Planter<'a> {
    /// The tree of a function for one core.
    pub(super) fn plant(
        module: &'a Module,
        id: FunctionId,
        accesses: &'a Accesses<'a>,
        core: Option<Core>,
        profile: Profile,
    ) -> Tree {
        let function = &module.functions[id];
        let tree = Tree {
            nodes: Vec::new(),
            bodies: vec![Body::default()],
            regions: Regions::default(),
            idle: [false; PIPES],
            has_fence: false,
        };
        let names = Names::of(module);
        let owned = core.is_none();
        let mut planter =
            Planter { module, function, names, accesses, profile, core, tree, loops: Vec::new(), owned };
        if let Some(body) = function.body {
            planter.region(body, ROOT);
        }
        planter.tree.regions.connect(accesses);
        planter.tree.expire();
        planter.tree
    }

    fn region(&mut self, region: RegionId, into: BodyId) {
        let blocks = &self.function.regions[region].blocks;
        let fenced = blocks.len() > 1 || self.loops.len() > DEEPEST;
        for block in blocks {
            for id in &self.function.blocks[*block].operations {
                self.operation(*id, into, fenced);
            }
        }
    }

    fn body(&mut self, region: RegionId) -> BodyId {
        self.tree.bodies.push(Body::default());
        let body = self.tree.bodies.len() - 1;
        self.region(region, body);
        body
    }

    fn add(&mut self, operation: OperationId, body: BodyId, kind: Kind) -> NodeId {
        let (loops, owned) = (self.loops.clone(), self.owned);
        self.tree.nodes.push(Node { operation, kind, body, owned, loops });
        let node = self.tree.nodes.len() - 1;
        self.tree.bodies[body].nodes.push(node);
        node
    }

    /// Adds the node of an operation with bodies, and removes it if nothing in them matters.
    fn compound(
        &mut self,
        id: OperationId,
        into: BodyId,
        is_loop: bool,
        kind: impl FnOnce(&mut Self) -> (Kind, Vec<BodyId>),
    ) {
        let node = self.add(id, into, Kind::Fence);
        if is_loop {
            self.loops.push(node);
        }
        let (kind, bodies) = kind(self);
        if is_loop {
            self.loops.pop();
        }
        if bodies.iter().all(|body| self.tree.bodies[*body].nodes.is_empty()) {
            // Its bodies added no nodes, so it is the last one.
            self.tree.nodes.pop();
            self.tree.bodies[into].nodes.pop();
            return;
        }
        self.tree.nodes[node].kind = kind;
        bodies.into_iter().for_each(|body| self.tree.bodies[body].owner = Some(node));
    }

    fn operation(&mut self, id: OperationId, into: BodyId, fenced: bool) {
        let operation = &self.function.operations[id];
        let regions = operation.regions.clone();
        match operation.meaning() {
            Meaning::For => {
                let rounds = self.rounds(operation);
                if rounds.high.is_some_and(|high| high < 1) {
                    return; // It never runs.
                }
                let may_skip = rounds.low.is_none_or(|low| low < 1);
                self.compound(id, into, true, |planter| {
                    let bodies: Vec<BodyId> = regions.iter().map(|region| planter.body(*region)).collect();
                    let body = bodies.first().copied().unwrap_or(ROOT);
                    (Kind::Loop { body, may_skip, rounds: rounds.high }, bodies)
                });
            }
            Meaning::While => self.compound(id, into, true, |planter| {
                let bodies: Vec<BodyId> = regions.iter().map(|region| planter.body(*region)).collect();
                match *bodies.as_slice() {
                    [before, after] => (Kind::While { before, after }, bodies),
                    _ => (Kind::Fence, bodies),
                }
            }),
            Meaning::If | Meaning::Switch => self.compound(id, into, false, |planter| {
                let bodies: Vec<BodyId> = regions.iter().map(|region| planter.body(*region)).collect();
                let may_skip = bodies.len() < 2;
                (Kind::Branch { bodies: bodies.clone(), may_skip }, bodies)
            }),
            Meaning::Section(of) => {
                if self.core.is_none_or(|core| core == of) {
                    let before = std::mem::replace(&mut self.owned, true);
                    regions.iter().for_each(|region| self.region(*region, into));
                    self.owned = before;
                }
            }
            Meaning::Region => regions.iter().for_each(|region| self.region(*region, into)),
            Meaning::Call => self.call(id, into),
            _ => self.leaf(id, into, fenced),
        }
    }

    /// The number of rounds of a loop.
    fn rounds(&self, operation: &Operation) -> Bounds {
        let integers = &self.accesses.globals.integers;
        let form = |role: &str| operation.value(role).map(|value| integers.form(value));
        let length = form("upper").zip(form("lower")).and_then(|(upper, lower)| upper.sub(&lower));
        let Some(length) = length.map(|length| integers.bounds(&length)) else { return Bounds::default() };
        // Any step leads past the end if one element is left.
        let step = form("step").and_then(|step| step.as_constant()).filter(|step| *step > 0).unwrap_or(1);
        let rounds = |length: i64| length.max(0).saturating_add(step - 1) / step;
        Bounds { low: length.low.map(|low| i64::from(low > 0)), high: length.high.map(rounds) }
    }

    fn leaf(&mut self, id: OperationId, into: BodyId, fenced: bool) {
        if let Some(order) = self.order(id) {
            self.add(id, into, Kind::Order(order));
            return;
        }
        let Some(issue) = self.accesses.issue(id) else { return };
        if fenced {
            self.add(id, into, Kind::Fence);
            return;
        }
        let step = self.tree.regions.step(issue);
        self.add(id, into, Kind::Step(step));
    }

    fn order(&self, id: OperationId) -> Option<Order> {
        Some(match self.function.operations[id].order()? {
            ir::Order::Flag { sets, from, to, event } => {
                let id = match event {
                    ir::Event::Fixed(number) => u8::try_from(number).ok(),
                    ir::Event::Computed(_) => None,
                };
                if sets { Order::Set { from, to, id } } else { Order::Wait { from, to, id } }
            }
            ir::Order::Barrier(pipe) => Order::Barrier(pipe),
            ir::Order::Token { acquires: true, pipe, token } => Order::Acquire(pipe, token),
            ir::Order::Token { acquires: false, pipe, token } => Order::Release(pipe, token),
        })
    }

    /// A call of a function that only the scalar unit runs accesses what its operands point to; any other call is a fence.
    fn call(&mut self, id: OperationId, into: BodyId) {
        let operation = &self.function.operations[id];
        let Some(called) = callee(&self.names, self.function, operation) else { return };
        let callee = &self.module.functions[called];
        if self.core.is_some() && callee.core().is_some_and(|kind| Some(kind) != self.core) {
            return;
        }
        if !self.is_scalar(callee) {
            self.add(id, into, Kind::Fence);
            return;
        }
        let written = callee.operations.iter().any(|(_, operation)| {
            operation
                .instruction()
                .is_some_and(|it| it.page().effects.iter().any(|effect| effect.access.changes()))
        });
        let access = if written { Access::PartialWrite } else { Access::Read };
        let accesses: Vec<Accessed> = operation
            .operands
            .iter()
            .filter_map(|operand| Some((operand.value, self.accesses.whole(operand.value)?)))
            .map(|(value, bytes): (_, Bytes)| Accessed {
                value,
                access,
                pipe: Pipe::Scalar,
                atomic: false,
                signals: false,
                bytes,
            })
            .collect();
        if !accesses.is_empty() {
            let (phases, handshakes) = (vec![Pipe::Scalar], Handshakes::default());
            let step = self.tree.regions.step(Issue { phases, handshakes, accesses });
            self.add(id, into, Kind::Step(step));
        }
    }

    /// Whether only the scalar unit runs a function.
    fn is_scalar(&self, function: &Function) -> bool {
        let facts = Facts::of(function, &self.module.types);
        function.operations.iter().all(|(_, operation)| {
            match facts.site(function, &self.module.types, operation, self.profile) {
                Some(site) => site.instruction.pipe(&site) == Pipe::Scalar,
                None => operation.meaning() != Meaning::Call,
            }
        })
    }
}
