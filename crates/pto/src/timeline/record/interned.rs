//! Numbers of things of which each is kept once.

use pto_machine::sim::by_place::ByPlace;
use pto_machine::sim::event::Place;
use std::collections::HashMap;
use std::hash::Hash;

/// Things of which each is kept once, in the order of their numbers.
pub(super) struct Numbers<T> {
    all: Vec<T>,
    numbers: HashMap<T, u32>,
    recent: ByPlace<Recent<T>>,
}

impl<T> Default for Numbers<T> {
    fn default() -> Numbers<T> {
        Numbers { all: Vec::new(), numbers: HashMap::new(), recent: ByPlace::default() }
    }
}

impl<T: Copy + Eq + Hash> Numbers<T> {
    /// The number of a thing that an operation needs.
    pub(super) fn number(&mut self, at: Place, item: T) -> u32 {
        let recent = self.recent.get_or_insert_with(at, Recent::default);
        if let Some((_, number)) = recent.find(|other| *other == item) {
            return number;
        }
        let all = &mut self.all;
        let number = *self.numbers.entry(item).or_insert_with(|| {
            all.push(item);
            all.len() as u32 - 1
        });
        recent.keep(item, number);
        number
    }

    /// All values.
    pub(super) fn finish(self) -> Vec<T> {
        self.all
    }
}

/// Number of recent items that are compared before a full search. A loop over tiles with two or four buffers needs that
/// many in turn.
const RECENT: usize = 4;

/// Latest dependences of an operation with their numbers; iterations of a loop repeat them.
pub(super) struct Recent<T> {
    items: Vec<(T, u32)>,
    /// Index of the item to replace next.
    next: usize,
}

impl<T> Default for Recent<T> {
    fn default() -> Recent<T> {
        Recent { items: Vec::new(), next: 0 }
    }
}

impl<T> Recent<T> {
    /// Returns the item for which `is_it` holds, with its number.
    pub(super) fn find(&self, is_it: impl Fn(&T) -> bool) -> Option<(&T, u32)> {
        self.items.iter().find(|(item, _)| is_it(item)).map(|(item, number)| (item, *number))
    }

    /// Keeps a thing in place of the oldest one. Returns it.
    pub(super) fn keep(&mut self, item: T, number: u32) -> (&T, u32) {
        let at = self.next;
        self.next = (at + 1) % RECENT;
        match self.items.get_mut(at) {
            Some(oldest) => *oldest = (item, number),
            None => self.items.push((item, number)),
        }
        let (item, number) = &self.items[at];
        (item, *number)
    }
}
