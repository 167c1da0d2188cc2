//! Vector clocks: what a pipe knows to have happened, and what it would know if the program were another.

use super::reliance::Change;
use std::collections::BTreeMap;

/// Pipes of a core, in the order of [`slot_of`](super::pipes::slot_of).
pub(super) const PIPES: usize = 7;

/// How far each pipe of a core has come, counted in instructions.
pub(super) type Local = [u32; PIPES];

/// What is known to be done: on the core itself, and on others that it has heard of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) own: Local,
    others: BTreeMap<u32, Local>,
}

/// What is known to be done in the program as it is, and after changes of it, one at a time, that make a difference here.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock {
    pub(super) known: Known,
    changed: BTreeMap<Change, Known>,
}

/// An instruction as clocks count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) core: u32,
    pub(super) pipe: u8,
    pub(super) count: u32,
}

fn raise(to: &mut Local, from: &Local) -> bool {
    let mut news = false;
    for (to, from) in to.iter_mut().zip(from) {
        news |= *from > *to;
        *to = (*to).max(*from);
    }
    news
}

impl Known {
    fn join(&mut self, other: &Known) -> bool {
        let mut news = raise(&mut self.own, &other.own);
        for (core, local) in &other.others {
            news |= raise(self.others.entry(*core).or_default(), local);
        }
        news
    }

    fn join_from(&mut self, me: u32, from: u32, other: &Known) -> bool {
        if me == from {
            return self.join(other);
        }
        let mut news = raise(self.others.entry(from).or_default(), &other.own);
        for (core, local) in &other.others {
            news |= match *core == me {
                true => raise(&mut self.own, local),
                false => raise(self.others.entry(*core).or_default(), local),
            };
        }
        news
    }

    fn has(&self, me: u32, moment: &Moment) -> bool {
        let local = if moment.core == me { Some(&self.own) } else { self.others.get(&moment.core) };
        local.is_some_and(|local| local[usize::from(moment.pipe)] >= moment.count)
    }
}

impl Known {
    /// Whether everything that `other` knows to be done is known here, too, on the same core.
    fn covers(&self, other: &Known) -> bool {
        let reaches =
            |ours: &Local, theirs: &Local| ours.iter().zip(theirs).all(|(ours, theirs)| ours >= theirs);
        let hears = |(core, theirs): (&u32, &Local)| {
            theirs == &Local::default() || self.others.get(core).is_some_and(|ours| reaches(ours, theirs))
        };
        reaches(&self.own, &other.own) && other.others.iter().all(hears)
    }
}

impl Clock {
    /// Learns what another clock of the same core knows. Says whether that is anything new.
    pub(super) fn join(&mut self, other: &Clock) -> bool {
        self.learn(other, Known::join)
    }

    /// Learns what a clock of core `from` knows, as core `me`. Says whether that is anything new.
    pub(super) fn join_from(&mut self, me: u32, from: u32, other: &Clock) -> bool {
        self.learn(other, |known, other| known.join_from(me, from, other))
    }

    /// Learns by the same rule in the program as it is and in each changed one.
    fn learn(&mut self, other: &Clock, join: impl Fn(&mut Known, &Known) -> bool) -> bool {
        for change in other.changed.keys() {
            if !self.changed.contains_key(change) {
                self.changed.insert(*change, self.known.clone());
            }
        }
        for (change, known) in &mut self.changed {
            join(known, other.after(change));
        }
        let news = join(&mut self.known, &other.known);
        self.changed.retain(|_, known| *known != self.known);
        news
    }

    /// What is known after a change of the program.
    pub(super) fn after(&self, change: &Change) -> &Known {
        self.changed.get(change).unwrap_or(&self.known)
    }

    /// Says what is known after a change of the program.
    pub(super) fn set_after(&mut self, change: Change, known: Known) {
        match known == self.known {
            true => self.changed.remove(&change),
            false => self.changed.insert(change, known),
        };
    }

    /// Does the same to what is known now and after each change.
    pub(super) fn each(&mut self, mut act: impl FnMut(&mut Known)) {
        act(&mut self.known);
        self.changed.values_mut().for_each(act);
    }

    /// Whether an instruction is known to be done, on core `me`.
    pub(super) fn knows(&self, me: u32, moment: &Moment) -> bool {
        self.known.has(me, moment)
    }

    /// Whether everything is known to be done that `other` knows, on the same core.
    pub(super) fn covers(&self, other: &Known) -> bool {
        self.known.covers(other)
    }

    /// The changes after which that would not be so.
    pub(super) fn uncovers(&self, other: &Known) -> impl Iterator<Item = Change> {
        self.changed.iter().filter(move |(_, known)| !known.covers(other)).map(|(change, _)| *change)
    }

    /// The changes after which an instruction that is known to be done would not be.
    pub(super) fn lost(&self, me: u32, moment: Moment) -> impl Iterator<Item = Change> {
        self.changed.iter().filter(move |(_, known)| !known.has(me, &moment)).map(|(change, _)| *change)
    }

    /// Forgets changes of which enough is known.
    pub(super) fn forget(&mut self, keep: impl Fn(&Change) -> bool) {
        self.changed.retain(|change, _| keep(change));
    }
}
