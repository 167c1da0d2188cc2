//! Synchronization that the accesses of a run rely on: without it, some access would be unordered.
//!
//! The clock of a pipe also contains its clock in programs with one change: without a wait, without a barrier, or with a
//! barrier of one pipe instead of all. If such a change would leave an access unordered, the program relies on that
//! operation, and the change is no longer tracked. So a loop tracks only operations that no access needed in earlier
//! iterations.

use super::clock::PIPES;
use crate::sim::event::Place;
use std::collections::{BTreeMap, BTreeSet};

/// A change of one synchronization operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::observe) struct Change {
    pub(in crate::observe) place: Place,
    /// The one pipe that replaces all pipes of a barrier; if `None`, the operation is removed.
    pub(in crate::observe) keeps: Option<u8>,
}

/// A place greater than every other one.
const LAST: Place = Place { function: u32::MAX, operation: u32::MAX };

/// The changes of the program, and whether an access relies on the operation that they remove.
#[derive(Debug, Default)]
pub(in crate::observe) struct Reliance {
    on: bool,
    relied: BTreeMap<Change, bool>,
    /// Pairs of a wait and an operation that set its flag.
    taken: BTreeSet<(Place, Place)>,
}

impl Reliance {
    pub(in crate::observe) fn new(on: bool) -> Reliance {
        Reliance { on, ..Reliance::default() }
    }

    /// The changes of an operation that runs now, without those on which accesses are known to rely.
    pub(in crate::observe) fn open(&mut self, place: Place, barrier_of_all: bool) -> Vec<Change> {
        if !self.on {
            return Vec::new();
        }
        let narrow = if barrier_of_all { PIPES as u8 } else { 0 };
        let changes = std::iter::once(None).chain((0..narrow).map(Some));
        let mut open = Vec::new();
        for change in changes.map(|keeps| Change { place, keeps }) {
            if !*self.relied.entry(change).or_default() {
                open.push(change);
            }
        }
        open
    }

    /// Records that a wait has taken a flag of the operation `set`.
    pub(in crate::observe) fn took(&mut self, wait: Place, set: Place) {
        self.taken.insert((wait, set));
    }

    /// The operations that set the flag that a wait has taken.
    pub(in crate::observe) fn sets_of(&self, wait: Place) -> impl Iterator<Item = Place> {
        self.taken.range((wait, Place::default())..=(wait, LAST)).map(|(_, set)| *set)
    }

    /// Whether a wait takes a flag whose set another wait needs (`is_needed`): then this wait must remain, to clear
    /// the flag.
    pub(in crate::observe) fn drains(&self, place: Place, is_needed: impl Fn(Place) -> bool) -> bool {
        let waits = |set| self.taken.iter().filter(move |(_, by)| *by == set).map(|(wait, _)| *wait);
        self.sets_of(place).flat_map(waits).any(|wait| wait != place && is_needed(wait))
    }

    /// Records that an access relies on the operation that a change removes.
    pub(in crate::observe) fn relied(&mut self, change: Change) {
        self.relied.insert(change, true);
    }

    /// Whether no access is known to rely on the operation that a change removes.
    pub(in crate::observe) fn is_open(&self, change: &Change) -> bool {
        self.relied.get(change) != Some(&true)
    }

    /// For each removable operation (a wait together with the set of its flag): `None`; for a barrier of all pipes: the single
    /// pipes that would suffice.
    pub(in crate::observe) fn idle(&self) -> BTreeMap<Place, Option<Vec<u8>>> {
        let mut idle: BTreeMap<Place, Option<Vec<u8>>> = BTreeMap::new();
        let is_needed = |place| !self.is_open(&Change { place, keeps: None });
        let open =
            self.relied.iter().filter(|(change, relied)| !**relied && !self.drains(change.place, is_needed));
        for (change, _) in open {
            // The change that removes the operation comes first.
            match (change.keeps, idle.entry(change.place).or_insert(Some(Vec::new()))) {
                (None, found) => *found = None,
                (Some(pipe), Some(pipes)) => pipes.push(pipe),
                (Some(_), None) => {}
            }
        }
        idle
    }
}
