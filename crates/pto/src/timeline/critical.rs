//! The critical path: from the end of a launch back to its start, at each step to the cause that ended last.

use super::history::History;
use super::lane::{Item, Moment};
use super::recording::Recording;
use super::timing::{Bound, PathPart};
use pto_isa::op::cost::Cost;
use std::collections::BTreeMap;

/// Cycles of a path by operation and bound.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts(BTreeMap<(Option<u32>, Bound), f64>);

impl Parts {
    fn add(&mut self, source: Option<u32>, bound: Bound, cycles: f64) {
        if cycles > 0.0 {
            *self.0.entry((source, bound)).or_default() += cycles;
        }
    }

    /// Adds the cycles before the first instruction begins.
    pub(super) fn start(&mut self, source: Option<u32>, cycles: f64) {
        self.add(source, Bound::Start, cycles);
    }

    /// Adds an instruction, and the cycles until its follower begins.
    pub(super) fn through(&mut self, recording: &Recording, item: &Item, begins: f64, follower: Option<u32>) {
        let work = &recording.works[item.work as usize];
        // Between the end of the instruction and the start of its follower: a flag in transit, or the issue of the
        // follower.
        self.add(follower, Bound::Issue, begins - item.done.min(begins));
        let until = begins.min(item.done);
        self.add(Some(work.source), Bound::Latency, until - item.end.min(until));
        let bound = match (&work.load.cost, item.shared) {
            (Cost::Transfer, true) => Bound::Memory,
            (Cost::Transfer, false) => Bound::Path,
            _ => Bound::Compute,
        };
        self.add(Some(work.source), bound, until.min(item.end) - item.start);
    }

    fn join(&mut self, other: &Parts) {
        other.0.iter().for_each(|((source, bound), cycles)| self.add(*source, *bound, *cycles));
    }
}

/// The parts of the critical path, longest first.
pub(super) fn path(recording: &Recording, history: &History<'_>, end: Moment) -> Vec<PathPart> {
    let mut parts = Parts::default();
    let (mut at, mut by) = (end.at, end.by);
    let mut follower = None;
    while let Some(index) = by.checked_sub(1) {
        let item = &history.items[index as usize];
        parts.through(recording, item, at, follower);
        (at, by, follower) = (item.start, item.cause, Some(history.source(item)));
        if let Some(before) = history.before(index) {
            parts.join(before);
            (at, by) = (0.0, 0);
        }
    }
    parts.start(follower, at);
    let part = |((source, bound), cycles): ((Option<u32>, Bound), f64)| PathPart { source, bound, cycles };
    let mut parts: Vec<PathPart> = parts.0.into_iter().map(part).collect();
    parts.sort_by(|a, b| b.cycles.total_cmp(&a.cycles));
    parts
}
