//! The flags that are set within a core; the machine and the watchers keep one file of them for each core.

use super::event::FlagKey;
use std::collections::{BTreeMap, VecDeque};

/// The set flags of a core, each with the values of its setters, oldest first.
///
/// A device's flag holds one set: setting a set flag has no effect. Watchers model this ([`FlagFile::replace`]).
/// Under a schedule a pipe may run ahead of the wait between two sets, so sets are counted ([`FlagFile::set`]).
#[derive(Clone, Debug)]
pub(crate) struct FlagFile<T> {
    set: BTreeMap<FlagKey, VecDeque<T>>,
}

impl<T> Default for FlagFile<T> {
    fn default() -> Self {
        FlagFile { set: BTreeMap::new() }
    }
}

impl<T> FlagFile<T> {
    /// Adds a set of a flag.
    pub(crate) fn set(&mut self, key: FlagKey, left: T) {
        self.set.entry(key).or_default().push_back(left);
    }

    /// Sets a flag that holds one set. Returns the value of the previous setter if no wait has taken it.
    pub(crate) fn replace(&mut self, key: FlagKey, left: T) -> Option<T> {
        let before = self.take(key);
        self.set(key, left);
        before
    }

    /// The value of the oldest set of a flag.
    pub(crate) fn oldest(&self, key: FlagKey) -> Option<&T> {
        self.set.get(&key)?.front()
    }

    /// Whether a flag is set.
    pub(crate) fn is_set(&self, key: FlagKey) -> bool {
        self.set.get(&key).is_some_and(|sets| !sets.is_empty())
    }

    /// Takes the oldest set of a flag.
    pub(crate) fn take(&mut self, key: FlagKey) -> Option<T> {
        self.set.get_mut(&key)?.pop_front()
    }

    /// The values of the setters of all set flags.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (FlagKey, &T)> {
        self.set.iter().flat_map(|(key, sets)| sets.iter().map(|left| (*key, left)))
    }

    /// The values of the setters of all set flags, mutable.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.set.values_mut().flatten()
    }
}
