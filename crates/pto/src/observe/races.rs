//! Races, and synchronization without use: what was found, once for each pair of places in the program.

use super::Order;
use super::pipes::Cover;
use super::reliance::Reliance;
use super::shadow::Record;
use super::sync::{Misuse, Subject};
use super::words::{misuse_in_words, no_sync, race_in_words, redundant, unneeded};
use crate::diag::Diagnostic;
use crate::sim::Program;
use crate::sim::event::{CoreId, FlagKey, Place};
use crate::sim::operands::Space;
use std::collections::BTreeMap;

/// Two accesses that nothing orders.
#[derive(Clone, Copy, Debug)]
pub(super) struct Race {
    pub(super) first: Record,
    pub(super) second: Record,
    /// The buffer, counted among those of all ranks, if the bytes are in one.
    pub(super) buffer: Option<u32>,
    pub(super) byte: u64,
    pub(super) count: u64,
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// By function, operation and operand of both accesses, and what each does.
    races: BTreeMap<(Place, u16, bool, Place, u16, bool), Race>,
    /// Waits and barriers: what covers them, or none if one of their runs ordered anything new.
    orders: BTreeMap<Place, Option<Cover>>,
    /// Sets of flags that may come before the wait for the set before: both operations, the flag, and how often.
    early: BTreeMap<(Place, Place), (FlagKey, u64)>,
    /// The cores, by number.
    pub(super) cores: Vec<CoreId>,
}

impl Findings {
    pub(super) fn race(&mut self, first: &Record, second: &Record, space: Space, byte: u64) {
        let writes = |record: &Record| record.access.changes();
        let key = (
            first.origin.at,
            first.origin.operand,
            writes(first),
            second.origin.at,
            second.origin.operand,
            writes(second),
        );
        let buffer = match space {
            Space::Global(buffer) => Some(buffer),
            Space::Chip(..) => None,
        };
        let race = || Race { first: *first, second: *second, buffer, byte, count: 0 };
        self.races.entry(key).or_insert_with(race).count += 1;
    }

    /// A flag is set, and nothing says that the wait for the set before is over.
    pub(super) fn early(&mut self, set: Place, wait: Place, key: FlagKey) {
        self.early.entry((set, wait)).or_insert((key, 0)).1 += 1;
    }

    /// Flags that may be set while they are still set, in words.
    pub(super) fn early_in_words(&self, program: &Program) -> Vec<Diagnostic> {
        let words = |((set, wait), (key, count)): (&(Place, Place), &(FlagKey, u64))| {
            misuse_in_words(program, *set, Misuse::SetEarly(*wait), Subject::Flag(*key), *count)
        };
        self.early.iter().map(words).collect()
    }

    /// A wait or a barrier has run; `cover` says what had ordered all of it before, if it had been.
    pub(super) fn needed(&mut self, by: Place, cover: Option<Cover>) {
        let known = self.orders.entry(by).or_insert(cover);
        *known = match (*known, cover) {
            (Some(Cover::Nothing), Some(cover)) => Some(cover),
            (Some(known), Some(_)) => Some(known),
            _ => None,
        };
    }

    /// The races in words.
    pub(super) fn races_in_words(&self, program: &Program, order: Order) -> Vec<Diagnostic> {
        let within = |race: &&Race| race.first.moment.core == race.second.moment.core;
        let mut all = Vec::new();
        let (inside, across): (Vec<&Race>, Vec<&Race>) = self.races.values().partition(within);
        if order == Order::Nothing {
            all.extend(inside.first().map(|race| no_sync(program, race, inside.len())));
        } else {
            all.extend(inside.iter().map(|race| race_in_words(program, race, None)));
        }
        for race in across {
            let core = |record: &Record| {
                let CoreId { rank, block, kind, .. } = self.cores[record.moment.core as usize];
                format!("{} of block {block} of rank {rank}", kind.name())
            };
            let cores = (core(&race.first), core(&race.second));
            all.push(race_in_words(program, race, Some(cores)));
        }
        all
    }

    /// Synchronization that orders nothing, or that nothing relies on, in words.
    pub(super) fn lints(&self, program: &Program, reliance: &Reliance) -> Vec<Diagnostic> {
        let idle = self.orders.iter().filter_map(|(place, cover)| Some((*place, (*cover)?)));
        let mut all: Vec<_> = idle.map(|(place, cover)| redundant(program, place, cover)).collect();
        let more = reliance.idle().into_iter().filter(|(place, _)| self.says_more(*place));
        all.extend(more.map(|(place, enough)| unneeded(program, place, enough.as_deref())));
        all
    }

    /// Whether that no access needs an operation says more than what is said of what it orders: it orders something, and
    /// nothing else is said to be covered by it.
    fn says_more(&self, place: Place) -> bool {
        let covers = |cover: &Option<Cover>| *cover == Some(Cover::By(place));
        !matches!(self.orders.get(&place), Some(Some(_))) && !self.orders.values().any(covers)
    }
}
