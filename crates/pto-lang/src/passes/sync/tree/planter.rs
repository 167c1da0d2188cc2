//! Builds the tree of a function from its operations, for one core.

use super::{Body, BodyId, DEEPEST, Kind, Node, NodeId, Order, ROOT, Tree, callee};
use crate::analysis::Facts;
use crate::analysis::accesses::{Accessed, Accesses, Bytes, Issue};
use crate::analysis::linear::Bounds;
use crate::ir::{self, Function, FunctionId, Module, Names, Operation, OperationId, RegionId};
use crate::passes::sync::regions::Regions;
use crate::passes::sync::state::PIPES;
use pto_isa::meaning::{Core, Meaning};
use pto_isa::op::effect::{Access, Handshakes};
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;

/// Builds the tree of a function.
pub(in crate::passes::sync) struct Planter<'a> {
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
    pub(in crate::passes::sync) fn plant(
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

    /// Adds the node of an operation with bodies, and removes it if its bodies stay empty.
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
            // Its bodies added no nodes, so this node is the last one.
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

    /// A call of a function that needs only the scalar unit accesses the memory to which its operands refer; any
    /// other call is a fence.
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
