//! Counts and examples of an alignment, for `pto diff` and `pto diff-log`.

use crate::report;
use pto::log::{Aligned, Mark, Matched, Position};
use std::collections::BTreeMap;

/// Maximum number of places shown for each kind of change.
const SHOWN: usize = 8;

/// Maximum number of distinct places recorded per kind of change. Changes at further places are only counted.
const MOST_PLACES: usize = 1 << 12;

/// A difference of two streams of entries that no value shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum Change {
    /// An entry of the first log has no partner.
    OnlyA(Mark),
    /// An entry of the second log has no partner.
    OnlyB(Mark),
    /// Two operations have the same destinations.
    Replaced(Mark, Mark),
    /// Dependent entries run in another order.
    Reordered(Mark, Mark),
}

/// Number of kinds of changes.
pub(in crate::commands) const KINDS: usize = 4;

impl Change {
    /// The kind's number.
    fn kind(self) -> usize {
        match self {
            Change::OnlyA(_) => 0,
            Change::OnlyB(_) => 1,
            Change::Replaced(..) => 2,
            Change::Reordered(..) => 3,
        }
    }

    fn marks(self) -> (Option<Mark>, Option<Mark>) {
        match self {
            Change::OnlyA(a) => (Some(a), None),
            Change::OnlyB(b) => (None, Some(b)),
            Change::Replaced(a, b) | Change::Reordered(a, b) => (Some(a), Some(b)),
        }
    }

    /// Numbers of its entries in both logs.
    pub(in crate::commands) fn entries(self) -> (Option<u64>, Option<u64>) {
        let (a, b) = self.marks();
        (a.map(|mark| mark.sequence), b.map(|mark| mark.sequence))
    }

    /// Positions in both sources.
    fn place(self) -> Place {
        let (a, b) = self.marks();
        (a.map(|mark| mark.position), b.map(|mark| mark.position))
    }

    /// The order in which changes are shown.
    fn rank(self) -> Option<u64> {
        let (a, b) = self.entries();
        a.or(b)
    }
}

type Place = (Option<Position>, Option<Position>);

/// The changes of one kind at one place of the sources.
#[derive(Clone, Copy, Debug)]
pub(in crate::commands) struct Group {
    /// First change.
    pub(in crate::commands) first: Change,
    /// Number of changes.
    pub(in crate::commands) count: u64,
}

impl Group {
    /// A line that precedes the first of several changes.
    pub(in crate::commands) fn times(&self) -> String {
        if self.count > 1 { format!("{} times, first\n", self.count) } else { String::new() }
    }
}

/// Result of an alignment.
#[derive(Default)]
pub(in crate::commands) struct Summary {
    /// Aligned entries.
    pub(in crate::commands) pairs: u64,
    /// Of these, entries at other addresses.
    pub(in crate::commands) elsewhere: u64,
    /// Number of changes of each kind.
    pub(in crate::commands) counts: [u64; KINDS],
    /// Whether the order of entries depends on a schedule. A different order is then not a change.
    any_order: bool,
    groups: [BTreeMap<Place, Group>; KINDS],
}

impl Summary {
    /// A summary of runs under a schedule: `any_order` if the pipes run independently.
    pub(in crate::commands) fn of_schedule(any_order: bool) -> Summary {
        Summary { any_order, ..Summary::default() }
    }

    /// Adds a step of the alignment. Returns the numbers of two entries that wrote different bytes.
    pub(in crate::commands) fn add(&mut self, aligned: Aligned) -> Option<(u64, u64)> {
        match aligned {
            Aligned::OnlyA(a) => self.change(Change::OnlyA(a)),
            Aligned::OnlyB(b) => self.change(Change::OnlyB(b)),
            Aligned::Pair { a, b, matched, equal } => {
                self.pairs += 1;
                match matched {
                    Matched::Elsewhere => self.elsewhere += 1,
                    Matched::Replaced => self.change(Change::Replaced(a, b)),
                    Matched::Reordered if !self.any_order => self.change(Change::Reordered(a, b)),
                    _ => {}
                }
                return (!equal).then_some((a.sequence, b.sequence));
            }
        }
        None
    }

    /// Counts a change. Streams are aligned one after the other, so the first change of a place may come late.
    fn change(&mut self, change: Change) {
        let kind = change.kind();
        self.counts[kind] += 1;
        let groups = &mut self.groups[kind];
        if let Some(group) = groups.get_mut(&change.place()) {
            group.count += 1;
            if change.rank() < group.first.rank() {
                group.first = change;
            }
        } else if groups.len() < MOST_PLACES {
            groups.insert(change.place(), Group { first: change, count: 1 });
        }
    }

    /// The first places of each kind of change, in the order of the logs.
    pub(in crate::commands) fn shown(&self) -> [Vec<Group>; KINDS] {
        self.groups.each_ref().map(|groups| {
            let mut shown: Vec<Group> = groups.values().copied().collect();
            shown.sort_by_key(|group| group.first.rank());
            shown.truncate(SHOWN);
            shown
        })
    }

    /// Whether there is any change.
    pub(in crate::commands) fn has_changes(&self) -> bool {
        self.counts.iter().any(|count| *count > 0)
    }

    /// The headings of changes, by kind, given the names of the logs or programs.
    pub(in crate::commands) fn headings(a: &str, b: &str) -> [String; KINDS] {
        [
            format!("only in {a}"),
            format!("only in {b}"),
            "other operations with the same destinations".to_owned(),
            "on the other side of an entry that depends on them".to_owned(),
        ]
    }

    /// Returns the alignment as data. `a` and `b` are the numbers of entries of the logs; `entry_a` and `entry_b`
    /// describe an entry by its number.
    pub(in crate::commands) fn alignment<E>(
        &self,
        a: u64,
        b: u64,
        entry_a: impl Fn(u64) -> Option<E>,
        entry_b: impl Fn(u64) -> Option<E>,
    ) -> report::Alignment<E> {
        let change = |group: Group| {
            let (a, b) = group.first.entries();
            report::Change { count: group.count, a: a.and_then(&entry_a), b: b.and_then(&entry_b) }
        };
        let mut kinds = self
            .shown()
            .into_iter()
            .zip(self.counts)
            .map(|(shown, count)| report::Changes { count, places: shown.into_iter().map(change).collect() });
        let mut next = || kinds.next().unwrap_or_default();
        report::Alignment {
            entries: report::Sides { a, b },
            aligned: self.pairs,
            at_other_addresses: self.elsewhere,
            only_a: next(),
            only_b: next(),
            replaced: next(),
            reordered: next(),
        }
    }
}

/// A line about changes that are not shown.
pub(in crate::commands) fn more(shown: &[Group], count: u64) -> String {
    match count - shown.iter().map(|group| group.count).sum::<u64>() {
        0 => String::new(),
        rest => format!("and {rest} more\n"),
    }
}
