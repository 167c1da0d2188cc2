//! Flags within a core: waited for and never set, set while set, left set at the end.

use super::Observer;
use super::words::misuse_in_words;
use crate::sim::event::{CoreId, Event, FlagFile, FlagKey, Place, What};
use crate::sim::{Outcome, Printed, Program};
use std::collections::BTreeMap;

/// What is wrong with a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Misuse {
    /// Set while it was still set, by this operation.
    SetTwice(Place),
    /// Set before the wait for the set before is over, which this operation is.
    SetEarly(Place),
    NeverSet,
    LeftSet,
}

/// Follows the flags of each core.
#[derive(Default)]
pub(super) struct Sync {
    flags: BTreeMap<CoreId, FlagFile<Place>>,
    /// By the operation and what is wrong: the flag, and how often.
    misuse: BTreeMap<(Place, Misuse), (FlagKey, u64)>,
}

impl Sync {
    fn found(&mut self, at: Place, misuse: Misuse, key: FlagKey) {
        self.misuse.entry((at, misuse)).or_insert((key, 0)).1 += 1;
    }
}

impl Observer for Sync {
    fn see(&mut self, _: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        let (core, at) = (event.core, event.at);
        match event.what {
            What::Set(key) => {
                let before = self.flags.entry(core).or_default().replace(key, at);
                if let Some(before) = before {
                    self.found(at, Misuse::SetTwice(before), key);
                }
            }
            What::Wait(key) => {
                let taken = self.flags.entry(core).or_default().take(key);
                if taken.is_none() {
                    self.found(at, Misuse::NeverSet, key);
                }
            }
            What::CoreEnds => {
                let left = self.flags.remove(&core).unwrap_or_default();
                for (key, by) in left.iter() {
                    self.found(*by, Misuse::LeftSet, key);
                }
            }
            _ => {}
        }
    }

    fn finish(self: Box<Self>, program: &Program, outcome: &mut Outcome) {
        let words = self
            .misuse
            .iter()
            .map(|((at, misuse), (key, count))| misuse_in_words(program, *at, *misuse, *key, *count));
        outcome.findings.extend(words);
    }
}
