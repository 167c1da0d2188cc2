//! Which synchronization the accesses of a run rely on: what would be ordered no more if one operation were not there.
//!
//! Beside what a pipe knows, its clock keeps what it would know in a program with one change: without a wait, without a
//! barrier, or with a barrier of one pipe in place of all. Where such a change would leave an access without order, the
//! program relies on that operation, and the change is followed no longer; so what is followed in a loop are only those
//! that nothing needed in the rounds before.

use super::clock::PIPES;
use crate::sim::event::Place;
use std::collections::{BTreeMap, BTreeSet};

/// A change of one operation that orders others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    pub(super) place: Place,
    /// The pipe that a barrier of all of them still orders; if none, the operation is not there.
    pub(super) keeps: Option<u8>,
}

/// The place after every other one.
const LAST: Place = Place { function: u32::MAX, operation: u32::MAX };

/// The changes of the program, and whether an access needs what they take away.
#[derive(Debug, Default)]
pub(super) struct Reliance {
    on: bool,
    relied: BTreeMap<Change, bool>,
    /// Which operation set the flag that a wait took: each wait with each of them.
    taken: BTreeSet<(Place, Place)>,
}

impl Reliance {
    pub(super) fn new(on: bool) -> Reliance {
        Reliance { on, ..Reliance::default() }
    }

    /// The changes of an operation that runs now, of which none is known to be needed.
    pub(super) fn open(&mut self, place: Place, barrier_of_all: bool) -> Vec<Change> {
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

    /// A wait has taken a flag that `set` has set.
    pub(super) fn took(&mut self, wait: Place, set: Place) {
        if self.on {
            self.taken.insert((wait, set));
        }
    }

    /// Whether an operation takes a flag from one that some other wait cannot do without: that flag must be taken.
    fn drains(&self, place: Place) -> bool {
        let sets = self.taken.range((place, Place::default())..=(place, LAST)).map(|(_, set)| *set);
        let waits = |set| self.taken.iter().filter(move |(_, by)| *by == set).map(|(wait, _)| *wait);
        sets.flat_map(waits).any(|place| !self.is_open(&Change { place, keeps: None }))
    }

    /// An access needs what a change takes away.
    pub(super) fn relied(&mut self, change: Change) {
        self.relied.insert(change, true);
    }

    /// Whether nothing is known to need what a change takes away.
    pub(super) fn is_open(&self, change: &Change) -> bool {
        self.relied.get(change) != Some(&true)
    }

    /// Each operation that could go, a wait with what sets its flag, with nothing; or the pipes of which a barrier of all
    /// would be enough.
    pub(super) fn idle(&self) -> BTreeMap<Place, Option<Vec<u8>>> {
        let mut idle: BTreeMap<Place, Option<Vec<u8>>> = BTreeMap::new();
        let open = self.relied.iter().filter(|(change, relied)| !**relied && !self.drains(change.place));
        for (change, _) in open {
            // The change that takes the operation out comes first.
            match (change.keeps, idle.entry(change.place).or_insert(Some(Vec::new()))) {
                (None, found) => *found = None,
                (Some(pipe), Some(pipes)) => pipes.push(pipe),
                (Some(_), None) => {}
            }
        }
        idle
    }
}
