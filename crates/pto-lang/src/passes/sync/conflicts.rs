//! Transfer functions of the synchronizer: records that instructions leave for later ones, and conflicts of accesses with earlier ones.
//!
//! **Claim.** After `resolve.rs` every two conflicting accesses of one core are ordered on every path.
//!
//! **The lattice.** A state is a set of records (accesses, waits, fences) of operations before a point, each with a time for each pipe: from when on that
//! pipe begins its instructions after the record's end, or never ([`State`]). States are ordered by inclusion of *unordered* pairs of record and
//! pipe: more such pairs is higher, and joining two paths takes their union, so an order holds after a join only if it holds on both. The functions
//! here are monotone: an instruction adds its records, a flag or barrier removes pairs, a record ordered before all pipes is dropped. There are
//! finitely many pairs for a finite program.
//!
//! **Loops.** A body is walked twice: the second walk begins with the records of the first, so it sees each pair of
//! accesses of two successive rounds. Accesses further apart need no third walk: operations that order round `i`
//! before round `i + 1` also order it before all later rounds, since pipes issue in order. If a flag inserted into
//! the body invalidates the assumptions of the first walk, the loop is walked again (`Done::Anew`).
//!
//! **Bytes.** Whether two accesses may overlap is decided in `regions.rs` from the places of `analysis/accesses.rs`;
//! "unknown" counts as overlap. An access without an overlapping access leaves no record.

use super::plan::{Missing, Operation, Plan, Witness};
use super::reason::{AccessOf, Reason};
use super::state::{NEVER, PipeSet, Record, State, Time, What};
use super::tree::{Kind, NodeId};
use crate::analysis::accesses::Bytes;
use crate::analysis::global::Rounds;
use pto_isa::pipe::Pipe;

impl Plan<'_> {
    pub(super) fn phases(&self, node: NodeId) -> std::ops::Range<usize> {
        match &self.tree.nodes[node].kind {
            Kind::Step(step) => 0..step.phases.len(),
            _ => 0..0,
        }
    }

    /// The flags that an instruction sets itself before a phase, and the end of the phase before.
    pub(super) fn begin_phase(&self, node: NodeId, phase: usize, state: &mut State) {
        let Kind::Step(step) = &self.tree.nodes[node].kind else { return };
        state.forget(node, &self.tree.regions);
        let now = state.tick();
        match phase {
            0 => step.handshakes.before.iter().for_each(|(from, to)| state.transfer(*from, now, *to)),
            _ => state.transfer(step.phases[phase - 1], now, step.phases[phase]),
        }
    }

    pub(super) fn end_phase(&self, node: NodeId, phase: usize, state: &mut State) {
        let Kind::Step(step) = &self.tree.nodes[node].kind else { return };
        let now = state.tick();
        let pipe = step.phases[phase];
        // The scalar unit ends an operation before it issues the next one.
        if pipe == Pipe::Scalar {
            return;
        }
        let touches = step.touches.iter().enumerate();
        for (at, touch) in touches.filter(|(_, touch)| touch.pipe == pipe && !touch.signals) {
            if !self.tree.regions.is_alone(touch.region) {
                let global = matches!(self.tree.regions.bytes(touch.region), Bytes::Global(_));
                let (region, writes, atomic) = (touch.region, touch.writes, touch.atomic);
                let what = What::Access { region, touch: at as u16, writes, atomic, global };
                state.push(self.record(what, node, pipe, now));
            }
        }
    }

    /// The flags that an instruction sets itself at its end.
    pub(super) fn end(&self, node: NodeId, state: &mut State, witness: &mut dyn Witness) {
        let Kind::Step(step) = &self.tree.nodes[node].kind else { return };
        let now = state.tick();
        step.handshakes.after.iter().for_each(|(from, to)| state.transfer(*from, now, *to));
        step.handshakes.flags().for_each(|pair| witness.uses(pair));
    }

    /// The access that a fence must wait for.
    pub(super) fn fence(&self, node: NodeId, state: &State) -> Option<Missing> {
        let open = state.records.iter().find(|record| !matches!(record.what, What::Wait(_)))?;
        let reason = Reason { first: access_of(open), second: Some(AccessOf::of_node(node)), carried: false };
        Some(Missing { from: Pipe::All, to: Pipe::All, time: open.time, node: open.node, reason })
    }

    pub(super) fn fenced(&self, node: NodeId, state: &mut State) {
        let now = state.tick();
        state.push(self.record(What::Fence, node, Pipe::All, now));
    }

    /// A record of an event on a pipe at a time.
    pub(super) fn record(&self, what: What, node: NodeId, pipe: Pipe, time: Time) -> Record {
        // Idle pipes need no order.
        let mut known = self.tree.idle.map(|idle| if idle { time } else { NEVER });
        if pipe != Pipe::All && self.profile.orders_itself(pipe) {
            known[pipe as usize] = time;
        }
        let waiting = match what {
            What::Access { region, writes, .. } if !self.tree.has_fence => {
                self.tree.regions.waiting(region, writes)
            }
            // Only the pipe that sets the flag again must be ordered after the end of its wait.
            What::Wait(id) => match self.inserted[id].what {
                Operation::Flag { from, .. } => PipeSet::of(from),
                _ => PipeSet::ALL,
            },
            What::Access { .. } | What::Fence => PipeSet::ALL,
        };
        let around = self.tree.nodes[node].loops.last().copied();
        Record { what, node, around, pipe, time, known, waiting }
    }

    /// The accesses of a phase that earlier ones conflict with, and that nothing orders after them.
    pub(super) fn conflicts(&self, node: NodeId, phase: usize, state: &State) -> Vec<Missing> {
        let Kind::Step(step) = &self.tree.nodes[node].kind else { return Vec::new() };
        let pipe = step.phases[phase];
        let mut found = Vec::new();
        for (at, touch) in step.touches.iter().enumerate().filter(|(_, touch)| touch.pipe == pipe) {
            if self.tree.regions.is_alone(touch.region) {
                continue;
            }
            let after_pipe = touch.signals.then_some(pipe);
            let open =
                |record: &&Record| record.known[pipe as usize] == NEVER && Some(record.pipe) != after_pipe;
            for record in state.records.iter().filter(open) {
                let carried = match record.what {
                    What::Access { region, writes, atomic, .. } => {
                        let conflict = (writes || touch.writes) && !(atomic && touch.atomic);
                        if !conflict || !self.tree.regions.are_beside(region, touch.region) {
                            continue;
                        }
                        let rounds = self.rounds(record, node, state);
                        let (first, second) =
                            (self.tree.regions.bytes(region), self.tree.regions.bytes(touch.region));
                        if !self.accesses.may_overlap(first, second, &rounds) {
                            continue;
                        }
                        rounds.carried.is_some()
                    }
                    What::Fence => false,
                    What::Wait(_) => continue,
                };
                let reason =
                    Reason { first: access_of(record), second: Some(AccessOf { node, touch: at }), carried };
                let (from, time) = (record.pipe, record.time);
                let to = if from == Pipe::All { Pipe::All } else { pipe };
                found.push(Missing { from, to, time, node: record.node, reason });
            }
        }
        found
    }

    /// Relation of the execution of a record's node to the current execution of another node.
    fn rounds(&self, record: &Record, node: NodeId, state: &State) -> Rounds {
        let mut rounds = Rounds::default();
        let pairs = self.tree.nodes[record.node].loops.iter().zip(&self.tree.nodes[node].loops);
        for (around, _) in pairs.take_while(|(a, b)| a == b) {
            let operation = self.tree.nodes[*around].operation;
            if state.rounds.get(around).is_some_and(|start| record.time <= *start) {
                rounds.carried = Some(operation);
                break;
            }
            rounds.same.push(operation);
        }
        rounds
    }
}

fn access_of(record: &Record) -> Option<AccessOf> {
    match record.what {
        What::Access { touch, .. } => Some(AccessOf { node: record.node, touch: usize::from(touch) }),
        What::Fence => Some(AccessOf::of_node(record.node)),
        What::Wait(_) => None,
    }
}
