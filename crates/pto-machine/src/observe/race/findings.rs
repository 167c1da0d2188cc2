//! Races and redundant synchronization: findings, one for each pair of operations.

use super::pipes::{Cover, pipe_at};
use super::reliance::Reliance;
use super::shadow::Record;
use crate::observe::conflict::{Found, Side, common};
use crate::observe::sync::{Misuse, Subject};
use crate::observe::words::{
    in_loop, kind, misuse_in_words, no_sync, operation_at, race_in_words, redundant, unneeded,
};
use crate::sim::Program;
use crate::sim::event::{CoreId, FlagKey, Place};
use crate::sim::operands::Space;
use crate::sim::order::Order;
use pto_isa::diag::Diagnostic;
use pto_isa::meaning::Meaning;
use pto_isa::registry::Op;
use pto_lang::ir::OperationId;
use std::collections::BTreeMap;

/// Maximum number of races of a program for which changes are proposed: more than are tried.
const MOST_PROPOSED: usize = 50;

/// Two unordered conflicting accesses.
#[derive(Clone, Copy, Debug)]
pub(in crate::observe) struct Race {
    pub(in crate::observe) first: Record,
    pub(in crate::observe) second: Record,
    /// Index of the buffer among those of all ranks; `None` if the bytes are on chip.
    pub(in crate::observe) buffer: Option<u32>,
    pub(in crate::observe) byte: u64,
    pub(in crate::observe) count: u64,
}

/// The findings so far.
#[derive(Debug, Default)]
pub(in crate::observe) struct Findings {
    /// By operation, operand and kind of both accesses.
    races: BTreeMap<(Place, u16, bool, Place, u16, bool), Race>,
    /// Waits and barriers with the synchronization that makes them redundant; `None` if one of their runs ordered anything new.
    orders: BTreeMap<Place, Option<Cover>>,
    /// Sets of flags that may precede the wait for the previous set: both operations, the flag, and the number of
    /// occurrences.
    early: BTreeMap<(Place, Place), (FlagKey, u64)>,
    /// The cores, by number.
    pub(in crate::observe) cores: Vec<CoreId>,
}

impl Findings {
    /// Whether there are races or flags that are set too early.
    pub(in crate::observe) fn has_errors(&self) -> bool {
        !(self.races.is_empty() && self.early.is_empty())
    }

    pub(in crate::observe) fn race(&mut self, first: &Record, second: &Record, space: Space, byte: u64) {
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

    /// A flag is set, but its wait for the previous set is not ordered before.
    pub(in crate::observe) fn early(&mut self, set: Place, wait: Place, key: FlagKey) {
        self.early.entry((set, wait)).or_insert((key, 0)).1 += 1;
    }

    /// Findings for flags that may be set while they are still set.
    pub(in crate::observe) fn early_in_words(&self, program: &Program) -> Vec<Diagnostic> {
        let words = |((set, wait), (key, count)): (&(Place, Place), &(FlagKey, u64))| {
            misuse_in_words(program, *set, Misuse::SetEarly(*wait), Subject::Flag(*key), *count)
        };
        self.early.iter().map(words).collect()
    }

    /// A wait or a barrier has run; `cover` is the earlier synchronization that makes it redundant, if there is one.
    pub(in crate::observe) fn needed(&mut self, by: Place, cover: Option<Cover>) {
        let known = self.orders.entry(by).or_insert(cover);
        *known = match (*known, cover) {
            (Some(Cover::Nothing), Some(cover)) => Some(cover),
            (Some(known), Some(_)) => Some(known),
            _ => None,
        };
    }

    /// The races as data.
    pub(in crate::observe) fn conflicts(&self) -> impl Iterator<Item = Found> {
        self.races.values().map(|race| {
            let sides = [&race.first, &race.second].map(|record| Side {
                at: record.origin.at,
                operand: record.origin.operand,
                core: self.cores[record.moment.core as usize],
                pipe: pipe_at(record.moment.pipe),
                writes: record.access.changes(),
                run: record.origin.times,
            });
            let common = race.buffer.is_none().then(|| common(&race.first.range, &race.second.range));
            Found { rule: kind(race), sides, common, count: race.count }
        })
    }

    /// Findings for races.
    pub(in crate::observe) fn races_in_words(
        &self,
        program: &Program,
        buffers: &[String],
        order: Order,
    ) -> Vec<Diagnostic> {
        let within = |race: &&Race| race.first.moment.core == race.second.moment.core;
        let mut all = Vec::new();
        let (inside, across): (Vec<&Race>, Vec<&Race>) = self.races.values().partition(within);
        if order == Order::Nothing {
            all.extend(inside.first().map(|race| no_sync(program, buffers, race, inside.len())));
        } else {
            let first = |at: usize| at < MOST_PROPOSED;
            let words =
                |(at, race): (usize, &&Race)| race_in_words(program, buffers, race, None, &[], first(at));
            all.extend(inside.iter().enumerate().map(words));
        }
        for race in across {
            let cores = [&race.first, &race.second].map(|record| self.cores[record.moment.core as usize]);
            all.push(race_in_words(program, buffers, race, Some(cores), &self.cores, false));
        }
        all
    }

    /// Lints for synchronization that orders nothing, or that no access relies on. `repeated`: whether a core ran an
    /// operation more than once.
    pub(in crate::observe) fn lints(
        &self,
        program: &Program,
        reliance: &Reliance,
        repeated: impl Fn(Place) -> bool,
    ) -> Vec<Diagnostic> {
        // The order that a flag establishes between two iterations shows only if a loop with its wait or its set is
        // repeated.
        let once = |place: Place| {
            let mut uses = std::iter::once(place).chain(reliance.sets_of(place));
            uses.any(|at| !repeated(at) && in_loop(program, at))
        };
        let brings_news = |place| self.orders.get(&place) == Some(&None);
        let covered = self.orders.iter().filter_map(|(place, cover)| Some((*place, (*cover)?)));
        let stays = |place| reliance.drains(place, brings_news) || is_before_signal(program, place);
        let covered: BTreeMap<Place, Cover> = covered.filter(|(place, _)| !stays(*place)).collect();
        // The operation that makes another one redundant is needed once that one is removed.
        let says_more = |place: &Place| {
            let is_known = covered.contains_key(place) || is_before_signal(program, *place);
            !is_known && !covered.values().any(|cover| *cover == Cover::By(*place))
        };
        let mut all: Vec<_> =
            covered.iter().map(|(place, cover)| redundant(program, *place, *cover, once(*place))).collect();
        let more = reliance.idle().into_iter().filter(|(place, _)| says_more(place));
        all.extend(more.map(|(place, enough)| unneeded(program, place, enough.as_deref(), once(place))));
        all
    }
}

/// Whether a barrier stands directly before a signal to another rank. Older assemblers and the C++ intrinsics drain
/// pipes only after the signal, so such a barrier is never superfluous.
fn is_before_signal(program: &Program, place: Place) -> bool {
    let Some((function, barrier)) = operation_at(program, place) else { return false };
    if !matches!(barrier.meaning(), Meaning::Barrier) {
        return false;
    }
    let is_it = |id: &OperationId| id.index() == place.operation as usize;
    let next = function.blocks.iter().find_map(|(_, block)| {
        let at = block.operations.iter().position(is_it)?;
        block.operations.get(at + 1)
    });
    next.is_some_and(|next| function.operations[*next].op() == Some(Op::COMM_TNOTIFY))
}
