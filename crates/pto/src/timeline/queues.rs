//! Occupancy of the queues between cores over time.

use super::lane::Moment;
use super::recording::{Recording, Signal};
use std::collections::BTreeMap;

/// A queue between cores at one time: how many entries it holds from then on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueueLevel {
    /// Rank.
    pub rank: u32,
    /// Block.
    pub block: u32,
    /// Number of the queue.
    pub queue: i128,
    /// Whether its entries go to the vector cores.
    pub to_vector: bool,
    /// The cycle.
    pub at: f64,
    /// Entries that were pushed, and whose slots are not free.
    pub entries: i64,
}

/// Rank, block, number and direction of a queue.
type QueueKey = (u32, u32, i128, bool);

/// Occupancy of the queues: an entry is in its queue from its first push, of several producers, to its last release, of several
/// consumers.
pub(super) fn levels(recording: &Recording, signals: &[Option<Moment>]) -> Vec<QueueLevel> {
    let mut entries: BTreeMap<(QueueKey, u64), (Option<f64>, Option<f64>)> = BTreeMap::new();
    for (signal, moment) in recording.signals.iter().zip(signals) {
        let (core, end, number, frees) = match signal {
            Signal::Pushed(core, end, number) => (core, end, *number, false),
            Signal::Freed(core, end, number) => (core, end, *number, true),
            _ => continue,
        };
        let Some(at) = moment.map(|moment| moment.at) else { continue };
        let key = (core.rank, core.block, end.id, end.to_vector);
        let (pushed, freed) = entries.entry((key, number)).or_default();
        match frees {
            true => *freed = Some(freed.map_or(at, |known: f64| known.max(at))),
            false => *pushed = Some(pushed.map_or(at, |known: f64| known.min(at))),
        }
    }
    let mut changes: Vec<(f64, i64, QueueKey)> = Vec::new();
    for ((key, _), (pushed, freed)) in entries {
        let Some(pushed) = pushed else { continue };
        changes.push((pushed, 1, key));
        changes.extend(freed.map(|freed| (freed.max(pushed), -1, key)));
    }
    // At one time, entries come before others go.
    changes.sort_by(|a, b| a.0.total_cmp(&b.0).then((-a.1, a.2).cmp(&(-b.1, b.2))));
    let mut full: BTreeMap<QueueKey, i64> = BTreeMap::new();
    let level = |(at, change, key): (f64, i64, QueueKey)| {
        let entries = full.entry(key).or_default();
        *entries += change;
        let (rank, block, queue, to_vector) = key;
        QueueLevel { rank, block, queue, to_vector, at, entries: *entries }
    };
    changes.into_iter().map(level).collect()
}
