//! An estimate of a stream's time without a run: clocks of the pipes, advanced by the costs on the pages.
//!
//! Instructions of a pipe follow each other, a wait begins no earlier than its set, a barrier ends all earlier
//! instructions. A loop is walked three times: each further iteration adds the time of the third one. An unknown
//! number of iterations counts as [`ROUNDS`], an unknown extent as the largest that the type allows, and of two
//! branches the longer one counts. So the price is not a prediction; it compares programs made from one source
//! program.

use super::plan::{Beside, InsertedId, Operation as Inserted, Plan};
use super::state::PIPES;
use super::tree::{BodyId, Kind, NodeId, Order, ROOT};
use crate::analysis::Facts;
use crate::ir::{Function, OperationId, TypeTable};
use pto_isa::device::{Device, Endpoint};
use pto_isa::memory::Buffer;
use pto_isa::op::cost::{Cost, Duration, Load, Region};
use pto_isa::op::effect::{Access, Effect};
use pto_isa::op::site::{Fact, Site};
use pto_isa::pipe::Pipe;
use std::collections::{BTreeMap, HashMap};

/// Rounds of a loop that are not known.
const ROUNDS: i64 = 8;

/// Rounds that are walked through.
const WALKED: i64 = 3;

/// Key of a flag or a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Signal {
    Inserted(InsertedId),
    Flag(Pipe, Pipe, u8),
    Token(u32),
}

/// The time until which each pipe is busy, and the set times of flags.
#[derive(Clone, Debug, Default)]
struct Clock {
    pipes: [f64; PIPES],
    set: BTreeMap<Signal, f64>,
}

impl Clock {
    fn end(&self) -> f64 {
        self.pipes.iter().copied().fold(0.0, f64::max)
    }

    fn of(&self, pipe: Pipe) -> f64 {
        match pipe {
            Pipe::All => self.end(),
            pipe => self.pipes[pipe as usize],
        }
    }

    /// A pipe begins nothing before a time.
    fn wait(&mut self, pipe: Pipe, until: f64) {
        match pipe {
            Pipe::All | Pipe::Scalar => self.pipes.iter_mut().for_each(|pipe| *pipe = pipe.max(until)),
            pipe => self.pipes[pipe as usize] = self.pipes[pipe as usize].max(until),
        }
    }
}

impl Plan<'_> {
    /// The estimated time of the stream, in cycles of the usual device of its profile.
    pub(super) fn price(&self, facts: &Facts, function: &Function, types: &TypeTable) -> f64 {
        let device = Device::usual(self.profile);
        let mut cycles = HashMap::new();
        for node in self.tree.nodes.iter().filter(|node| matches!(node.kind, Kind::Step(_))) {
            let operation = &function.operations[node.operation];
            if let Some(site) = facts.site(function, types, operation, self.profile) {
                cycles.insert(node.operation, time(&site, &device));
            }
        }
        let walk = Walk { plan: self, cycles, flag: device.flag.value };
        let mut clock = Clock::default();
        walk.body(ROOT, &mut clock);
        clock.end()
    }
}

/// The cycles of an instruction on its last pipe.
fn time(site: &Site<'_>, device: &Device) -> f64 {
    let page = site.instruction.page();
    let effects = site.instruction.effects(site);
    let mut regions = Vec::new();
    let (mut reads_global, mut writes_global) = (false, false);
    for effect in effects.iter().filter(|effect| effect.access.is_of_bytes()) {
        for operand in site.operands.iter().filter(|operand| Effect::role(effect) == Some(operand.role)) {
            match &operand.fact {
                Fact::Tile(tile) => {
                    let rows = u64::from(tile.rows.unwrap_or(tile.ty.rows));
                    let cols = u64::from(tile.cols.unwrap_or(tile.ty.cols));
                    regions.push((effect.access, Region { rows, cols, ty: tile.ty }));
                }
                Fact::View(_) | Fact::Pointer(..) if effect.access == Access::Read => reads_global = true,
                Fact::View(_) | Fact::Pointer(..) => writes_global = true,
                _ => {}
            }
        }
    }
    let mut load = Load::of(page.cost, &regions);
    if page.cost == Cost::Transfer {
        // The rows of a tile are the runs of a transfer of global memory.
        let own = regions.first().map_or(Endpoint::Chip(Buffer::Ub), |(_, region)| {
            load.runs = region.rows;
            Endpoint::Chip(region.ty.buffer())
        });
        if reads_global {
            (load.from, load.to) = (Some(Endpoint::Global), load.to.or(Some(own)));
        } else if writes_global {
            (load.from, load.to) = (load.from.or(Some(own)), Some(Endpoint::Global));
        }
    }
    let duration = Duration::of(&load, site.instruction.pipe(site), device);
    let flowing = if duration.moves_global { load.bytes as f64 / duration.rate } else { 0.0 };
    duration.before + flowing + duration.latency
}

/// A walk through a plan.
struct Walk<'a> {
    plan: &'a Plan<'a>,
    cycles: HashMap<OperationId, f64>,
    /// Cycles from a set to its wait.
    flag: f64,
}

impl Walk<'_> {
    fn body(&self, body: BodyId, clock: &mut Clock) {
        for node in &self.plan.tree.bodies[body].nodes {
            self.beside(self.plan.before.get(node).map_or(&[], Vec::as_slice), clock);
            self.carried(*node, true, clock);
            self.node(*node, clock);
            self.carried(*node, false, clock);
            self.beside(self.plan.after.get(node).map_or(&[], Vec::as_slice), clock);
        }
    }

    /// Flags set directly before a loop, or awaited directly after it.
    fn carried(&self, node: NodeId, sets: bool, clock: &mut Clock) {
        for id in self.plan.carried.get(&node).into_iter().flatten() {
            self.beside(&[if sets { Beside::Set(*id) } else { Beside::Wait(*id) }], clock);
        }
    }

    fn beside(&self, list: &[Beside], clock: &mut Clock) {
        for beside in list {
            let (Beside::Set(id)
            | Beside::Wait(id)
            | Beside::Barrier(id)
            | Beside::Acquire(id, _)
            | Beside::Release(id, _)) = *beside;
            let inserted = &self.plan.inserted[id];
            if !inserted.on {
                continue;
            }
            match (*beside, inserted.what) {
                (Beside::Set(_), Inserted::Flag { from, .. }) => self.set(Signal::Inserted(id), from, clock),
                (Beside::Wait(_), Inserted::Flag { to, .. }) => self.wait(Signal::Inserted(id), to, clock),
                (_, Inserted::Barrier(pipe)) => clock.wait(pipe, clock.of(pipe)),
                (Beside::Acquire(_, pipe), _) => self.wait(Signal::Inserted(id), pipe, clock),
                (Beside::Release(_, pipe), _) => self.set(Signal::Inserted(id), pipe, clock),
                _ => {}
            }
        }
    }

    fn set(&self, signal: Signal, by: Pipe, clock: &mut Clock) {
        let now = clock.of(by);
        clock.set.insert(signal, now);
    }

    fn wait(&self, signal: Signal, pipe: Pipe, clock: &mut Clock) {
        if let Some(set) = clock.set.get(&signal).copied() {
            clock.wait(pipe, set + self.flag);
        }
    }

    fn node(&self, node: NodeId, clock: &mut Clock) {
        match &self.plan.tree.nodes[node].kind {
            Kind::Step(step) => {
                let start = step.phases.iter().map(|pipe| clock.of(*pipe)).fold(0.0, f64::max);
                let time = self.cycles.get(&self.plan.tree.nodes[node].operation).copied().unwrap_or(0.0);
                step.phases.iter().for_each(|pipe| clock.wait(*pipe, start + time));
            }
            Kind::Order(order) => match *order {
                Order::Set { from, to, id } => self.set(Signal::Flag(from, to, id.unwrap_or(0)), from, clock),
                Order::Wait { from, to, id } => self.wait(Signal::Flag(from, to, id.unwrap_or(0)), to, clock),
                Order::Barrier(pipe) => clock.wait(pipe, clock.of(pipe)),
                Order::Acquire(pipe, token) => self.wait(Signal::Token(token), pipe, clock),
                Order::Release(pipe, token) => self.set(Signal::Token(token), pipe, clock),
            },
            Kind::Fence => clock.wait(Pipe::All, clock.end()),
            Kind::Loop { body, rounds, .. } => self.rounds(&[*body], rounds.unwrap_or(ROUNDS), clock),
            Kind::While { before, after } => self.rounds(&[*before, *after], ROUNDS, clock),
            Kind::Branch { bodies, .. } => {
                let walked = bodies.iter().map(|body| {
                    let mut end = clock.clone();
                    self.body(*body, &mut end);
                    end
                });
                let longest = walked.reduce(|one, other| if other.end() > one.end() { other } else { one });
                *clock = longest.unwrap_or_else(|| clock.clone());
            }
        }
    }

    /// The rounds of a loop.
    fn rounds(&self, bodies: &[BodyId], rounds: i64, clock: &mut Clock) {
        let mut before = clock.clone();
        for _ in 0..rounds.min(WALKED) {
            before = clock.clone();
            bodies.iter().for_each(|body| self.body(*body, clock));
        }
        let further = (rounds - WALKED).max(0) as f64;
        for (pipe, start) in clock.pipes.iter_mut().zip(before.pipes) {
            *pipe += further * (*pipe - start);
        }
        for (signal, time) in &mut clock.set {
            let start = before.set.get(signal).copied().unwrap_or(*time);
            *time += further * (*time - start);
        }
    }
}
