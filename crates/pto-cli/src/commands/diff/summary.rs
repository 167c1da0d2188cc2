//! Counts and examples of an alignment, for `pto diff` and `pto diff-log`.

use pto::log::{Aligned, Matched};

/// Differences of one kind that are shown.
const SHOWN: usize = 8;

/// A difference of two streams of entries that no value shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum Change {
    /// An entry of the first log has no partner.
    OnlyA(u64),
    /// An entry of the second log has no partner.
    OnlyB(u64),
    /// Two operations have the same destinations.
    Replaced(u64, u64),
    /// Dependent entries run in another order.
    Reordered(u64, u64),
}

/// Kinds of changes, with the words for them.
pub(in crate::commands) const KINDS: usize = 4;

impl Change {
    /// The kind's number.
    pub(in crate::commands) fn kind(self) -> usize {
        match self {
            Change::OnlyA(_) => 0,
            Change::OnlyB(_) => 1,
            Change::Replaced(..) => 2,
            Change::Reordered(..) => 3,
        }
    }

    /// Numbers of its entries in both logs.
    pub(in crate::commands) fn entries(self) -> (Option<u64>, Option<u64>) {
        match self {
            Change::OnlyA(a) => (Some(a), None),
            Change::OnlyB(b) => (None, Some(b)),
            Change::Replaced(a, b) | Change::Reordered(a, b) => (Some(a), Some(b)),
        }
    }

    /// The order in which changes are shown.
    fn place(self) -> u64 {
        let (a, b) = self.entries();
        a.or(b).unwrap_or(0)
    }
}

/// What an alignment has found.
#[derive(Default)]
pub(in crate::commands) struct Summary {
    /// Aligned entries.
    pub(in crate::commands) pairs: u64,
    /// Of these, entries at other addresses.
    pub(in crate::commands) elsewhere: u64,
    /// Number of changes of each kind.
    pub(in crate::commands) counts: [u64; KINDS],
    /// The first changes of each kind.
    pub(in crate::commands) shown: [Vec<Change>; KINDS],
}

impl Summary {
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
                    Matched::Reordered => self.change(Change::Reordered(a, b)),
                    _ => {}
                }
                return (!equal).then_some((a, b));
            }
        }
        None
    }

    /// Counts a change. Streams are aligned one after the other, so the first changes of the logs may come late.
    fn change(&mut self, change: Change) {
        let kind = change.kind();
        self.counts[kind] += 1;
        let shown = &mut self.shown[kind];
        let at = shown.partition_point(|known| known.place() <= change.place());
        if at < SHOWN {
            shown.insert(at, change);
            shown.truncate(SHOWN);
        }
    }

    /// Whether there is any change.
    pub(in crate::commands) fn has_changes(&self) -> bool {
        self.counts.iter().any(|count| *count > 0)
    }

    /// The headings of changes, by kind, given the names of the logs.
    pub(in crate::commands) fn headings(a: &str, b: &str) -> [String; KINDS] {
        [
            format!("only in {a}"),
            format!("only in {b}"),
            "other operations with the same destinations".to_owned(),
            "in another order than an entry that depends on them".to_owned(),
        ]
    }

    /// The kinds of changes in JSON.
    pub(in crate::commands) const WORDS: [&'static str; KINDS] =
        ["only_a", "only_b", "replaced", "reordered"];
}
