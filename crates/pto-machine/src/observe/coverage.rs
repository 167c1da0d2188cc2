//! Coverage of watchers: the checks made in a run without findings.

use crate::sim::event::Place;
use crate::sim::order::Order;
use std::collections::HashSet;
use std::fmt;

/// Coverage of the watchers of a run; `None` for a watcher that was not enabled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Examined {
    /// Number of pairs of conflicting operations that are ordered in each of their runs.
    pub ordered: Option<u64>,
    /// Number of conflicts that were accepted as chains of elementwise instructions, if chains are accepted.
    pub chained: Option<u64>,
    /// Assumption about the order within a core.
    pub assumed: Option<Assumed>,
    /// Number of waits, barriers and token operations that ran.
    pub waits: Option<u64>,
    /// Number of reads of written bytes.
    pub reads: Option<u64>,
    /// Number of accesses that the watcher `mem` checked.
    pub places: Option<u64>,
}

/// An assumption about the order within a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Assumed {
    /// The program has no addresses: the assembler that places its tiles inserts the flags.
    NoAddresses,
    /// Flags are inserted later, as the options declare.
    InsertedLater,
}

impl fmt::Display for Assumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Assumed::NoAddresses => "order within a core assumed, the program has no addresses",
            Assumed::InsertedLater => "order within a core assumed, flags are inserted later",
        })
    }
}

impl Examined {
    /// The coverage as text, one part for each watcher, such as `race: 214 pairs ordered`.
    pub fn parts(&self) -> Vec<String> {
        let mut assumed = self.assumed.map_or(String::new(), |assumed| format!("; {assumed}"));
        if let Some(chained) = self.chained {
            assumed += &format!("; {} of V chains assumed", counted(chained, "conflict"));
        }
        let parts = [
            self.ordered.map(|count| format!("race: {} ordered{assumed}", counted(count, "pair"))),
            self.waits.map(|count| format!("sync: {}", counted(count, "wait"))),
            self.reads.map(|count| format!("init: {} of written bytes", counted(count, "read"))),
            self.places.map(|count| format!("mem: {}", counted(count, "access"))),
        ];
        parts.into_iter().flatten().collect()
    }
}

fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ if what.ends_with('s') => format!("{count} {what}es"),
        _ => format!("{count} {what}s"),
    }
}

impl Assumed {
    /// The assumption of an order; `inserted`: synchronization is declared to be inserted later.
    pub(in crate::observe) fn of(order: Order, inserted: bool) -> Option<Assumed> {
        match order {
            Order::Program if inserted => Some(Assumed::InsertedLater),
            Order::Program => Some(Assumed::NoAddresses),
            Order::Flags | Order::Nothing => None,
        }
    }
}

/// Pairs of conflicting operations that were found ordered.
#[derive(Debug, Default)]
pub(in crate::observe) struct Pairs {
    met: HashSet<(Place, Place)>,
    /// The last pair, a cache, since the next one is often the same.
    last: Option<(Place, Place)>,
}

impl Pairs {
    pub(in crate::observe) fn meet(&mut self, first: Place, second: Place) {
        let pair = Some((first, second));
        if self.last != pair {
            self.met.insert((first, second));
            self.last = pair;
        }
    }

    pub(in crate::observe) fn count(&self) -> u64 {
        self.met.len() as u64
    }
}
