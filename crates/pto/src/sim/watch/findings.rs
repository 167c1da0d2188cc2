//! What watchers found, once for each pair of places in the program, and the words for it.

use super::super::code::Program;
use super::flags::{Cover, FlagKey};
use super::reliance::Reliance;
use super::shadow::Record;
use super::words::{
    function_of, misuse_in_words, no_sync, race_in_words, redundant, trouble_in_words, unneeded,
    unwritten_in_words,
};
use super::{Order, Space, Watched};
use crate::diag::{Diagnostic, Severity};
use crate::isa::rules;
use std::collections::BTreeMap;

/// A function and an operation of it.
pub(super) type Place = (u32, u32);

/// Two accesses that nothing orders.
#[derive(Clone, Copy, Debug)]
pub(super) struct Race {
    pub(super) first: Record,
    pub(super) second: Record,
    pub(super) global: bool,
    pub(super) byte: u64,
    pub(super) count: u64,
}

/// What is wrong with a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Misuse {
    SetTwice(Place),
    NeverSet,
    LeftSet,
}

/// What is wrong with the memory that an instruction uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trouble {
    /// A view that is stored to has two indices for one place.
    SelfOverlap,
    /// A slot of a queue was given back.
    Returned,
    /// Instructions use the place for themselves.
    Reserved,
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// By function, operation and operand of both accesses, and what each does.
    races: BTreeMap<(Place, u16, bool, Place, u16, bool), Race>,
    /// By the operation and what is wrong: the flag, and how often.
    misuse: BTreeMap<(Place, Misuse), (FlagKey, u64)>,
    /// By operation and operand.
    memory: BTreeMap<(Place, u16, Trouble), u64>,
    /// Reads of bytes that nothing wrote, by operation and operand: the first, its first such byte, and how many.
    unwritten: BTreeMap<(Place, u16), (Record, u64, u64)>,
    /// Waits and barriers: what covers them, or none if one of their runs ordered anything new.
    orders: BTreeMap<Place, Option<Cover>>,
    /// Name, rank and block of each core.
    pub(super) cores: Vec<(String, u32, u32)>,
}

impl Findings {
    pub(super) fn race(&mut self, first: &Record, second: &Record, space: Space, byte: u64) {
        let place = |record: &Record| (record.origin.function, record.origin.operation);
        let writes = |record: &Record| record.access.changes();
        let key = (
            place(first),
            first.origin.operand,
            writes(first),
            place(second),
            second.origin.operand,
            writes(second),
        );
        let global = matches!(space, Space::Global(_));
        let race = Race { first: *first, second: *second, global, byte, count: 0 };
        self.races.entry(key).or_insert(race).count += 1;
    }

    pub(super) fn set_twice(&mut self, key: FlagKey, before: Place, by: Place) {
        self.misuse.entry((by, Misuse::SetTwice(before))).or_insert((key, 0)).1 += 1;
    }

    pub(super) fn never_set(&mut self, key: FlagKey, by: Place) {
        self.misuse.entry((by, Misuse::NeverSet)).or_insert((key, 0)).1 += 1;
    }

    pub(super) fn left_set(&mut self, key: FlagKey, by: Place) {
        self.misuse.entry((by, Misuse::LeftSet)).or_insert((key, 0)).1 += 1;
    }

    pub(super) fn memory(&mut self, place: Place, operand: u16, trouble: Trouble) {
        *self.memory.entry((place, operand, trouble)).or_default() += 1;
    }

    pub(super) fn unwritten(&mut self, record: &Record, byte: u64) {
        let place = (record.origin.function, record.origin.operation);
        self.unwritten.entry((place, record.origin.operand)).or_insert((*record, byte, 0)).2 += 1;
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

    /// The findings in words: what is wrong first, lints last.
    pub(super) fn report(
        &self,
        program: &Program,
        order: Order,
        (watched, most): (Watched, usize),
        reliance: &Reliance,
    ) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        if watched.race {
            all.extend(self.races_in_words(program, order));
        }
        if watched.sync {
            all.extend(self.misuse.iter().map(|((place, misuse), (key, count))| {
                misuse_in_words(program, *place, *misuse, *key, *count)
            }));
        }
        all.extend(self.memory.iter().map(|((place, operand, trouble), count)| {
            trouble_in_words(program, *place, *operand, *trouble, *count)
        }));
        all.extend(self.unwritten.values().map(|found| unwritten_in_words(program, found)));
        let found = all.len();
        if found > most {
            all.truncate(most);
            let message = format!("{} more findings are not shown", found - most);
            all.push(Diagnostic::new(Severity::Error, &rules::run::MORE, message));
        }
        if watched.sync {
            let idle = self.orders.iter().filter_map(|(place, cover)| Some((*place, (*cover)?)));
            all.extend(idle.map(|(place, cover)| redundant(program, place, cover)));
            let more = reliance.idle().into_iter().filter(|(place, _)| self.says_more(*place));
            all.extend(more.map(|(place, enough)| unneeded(program, place, enough.as_deref())));
        }
        all
    }

    /// Whether that no access needs an operation says more than what is said of what it orders: it orders something, and
    /// nothing else is said to be covered by it.
    fn says_more(&self, place: Place) -> bool {
        let covers = |cover: &Option<Cover>| *cover == Some(Cover::By(place));
        !matches!(self.orders.get(&place), Some(Some(_))) && !self.orders.values().any(covers)
    }

    fn races_in_words(&self, program: &Program, order: Order) -> Vec<Diagnostic> {
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
                let (name, rank, block) = &self.cores[record.moment.core as usize];
                format!("{name} of block {block} of rank {rank}")
            };
            let cores = (core(&race.first), core(&race.second));
            all.push(race_in_words(program, race, Some(cores)));
        }
        all
    }
}

/// How a program orders the instructions of a core.
pub(super) fn order_of(program: &Program, inserted: bool) -> Order {
    let mut operations = program.functions.iter().flat_map(|code| {
        let function = function_of(program, code);
        function.operations.iter().map(|(_, operation)| operation)
    });
    let (mut addresses, mut orders) = (false, false);
    for operation in &mut operations {
        addresses |= operation.operand("addr").is_some();
        orders |= operation.meaning().orders_pipes();
    }
    match (inserted, orders, addresses) {
        (true, ..) => Order::Program,
        (_, true, _) => Order::Flags,
        (_, false, true) => Order::Nothing,
        (_, false, false) => Order::Program,
    }
}
