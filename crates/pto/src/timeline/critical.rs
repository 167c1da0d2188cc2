//! The critical path: from the end of a launch back to its start, always to what came last before.

use super::lane::{Item, Moment};
use super::recording::Recording;
use super::timing::{Bound, PathPart};
use crate::isa::op::cost::Cost;
use std::collections::BTreeMap;

/// The parts of the critical path, longest first: cycles by operation and by what bounds them.
pub(super) fn path(recording: &Recording, items: &[Item], end: Moment) -> Vec<PathPart> {
    let mut parts: BTreeMap<(Option<u32>, Bound), f64> = BTreeMap::new();
    let mut add = |source, bound, cycles: f64| {
        if cycles > 0.0 {
            *parts.entry((source, bound)).or_default() += cycles;
        }
    };
    let (mut at, mut by) = (end.at, end.by);
    let mut follower = None;
    while let Some(item) = by.checked_sub(1).and_then(|index| items.get(index as usize)) {
        let work = &recording.works[item.work as usize];
        // Between its end and what waited for it: a flag on its way, or the issue of the follower.
        add(follower, Bound::Issue, at - item.done.min(at));
        let until = at.min(item.done);
        add(Some(work.source), Bound::Latency, until - item.end.min(until));
        let bound = match (&work.cost, item.shared) {
            (Cost::Transfer, true) => Bound::Memory,
            (Cost::Transfer, false) => Bound::Path,
            _ => Bound::Compute,
        };
        add(Some(work.source), bound, until.min(item.end) - item.start);
        (at, by, follower) = (item.start, item.cause, Some(work.source));
    }
    add(follower, Bound::Start, at);
    let part = |((source, bound), cycles): ((Option<u32>, Bound), f64)| PathPart { source, bound, cycles };
    let mut parts: Vec<PathPart> = parts.into_iter().map(part).collect();
    parts.sort_by(|a, b| b.cycles.total_cmp(&a.cycles));
    parts
}
