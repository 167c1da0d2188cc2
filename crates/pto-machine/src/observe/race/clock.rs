//! Vector clocks: the instructions that happen before the next one of a pipe, also in programs with one change.
//!
//! **Claim.** Let `a` and `b` be two instructions of a run, `a` issued first. `a` happens before `b` by the rules of
//! `docs/race-checking.md` if and only if the clock of `b`'s pipe, when `b` is issued, has at least the number of `a` in the entry of
//! `a`'s core and pipe ([`Clock::knows`]).
//!
//! **Argument.** Each instruction of a pipe of a core has a number, counted from 1 in the order of issue: a
//! [`Moment`]. A clock holds a number for each pipe of each core: the *prefix* of that pipe's instructions that
//! happen before. One number suffices, since every rule orders a prefix: a set orders the instructions issued to its
//! pipe before it, a barrier those issued before it, the scalar unit everything issued before its next instruction.
//! The rules only join clocks, that is, take the maximum entry by entry:
//!
//! - a set stores the clock of its pipe, with the pipe's own finished instructions; the wait joins that copy into the clock of its pipe;
//! - a barrier of a pipe raises the pipe's own entry, a barrier of all pipes joins the clocks of all;
//! - an instruction begins with the clock of the scalar unit joined in, and its own entry is raised at once where the profile orders a pipe
//!   within itself.
//!
//! Joins are monotone, so an entry is at most the prefix that some chain of rules has ordered, and every chain is
//! followed link by link in program order, in which a set comes before its wait. Program order is one order of
//! execution that the device may choose, and the rules do not depend on which: so one run decides for all timings of
//! the same control flow.
//!
//! **Programs with one change.** Whether a flag or barrier is redundant depends on the orders that would hold without
//! it. A [`Clock`] therefore has, for each [`Change`] (an operation removed, a barrier narrowed), the clock of the
//! changed program, but only where it differs from that of the program: most changes differ at a few places, and
//! agree again after the next synchronization. A join joins the clocks of both sides change by change; a side without
//! an entry for a change takes part with its own clock, which is equal by definition.
//!
//! Reading: Fidge (1988) and Mattern (1989) on vector clocks; FastTrack (Flanagan and Freund, PLDI 2009) on race detection with them.

use super::reliance::Change;
use std::collections::BTreeMap;

/// Pipes of a core, in the order of [`slot_of`](super::pipes::slot_of).
pub(in crate::observe) const PIPES: usize = 7;

/// Number of completed instructions of each pipe of a core.
pub(in crate::observe) type Local = [u32; PIPES];

/// A vector clock: completed instructions on the own core, and on other cores that synchronized with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::observe) struct Known {
    pub(in crate::observe) own: Local,
    others: BTreeMap<u32, Local>,
}

/// The vector clock of the program, and those of programs with one change, for changes whose clock differs.
#[derive(Clone, Debug, Default)]
pub(in crate::observe) struct Clock {
    pub(in crate::observe) known: Known,
    changed: BTreeMap<Change, Known>,
}

/// An instruction: its core, its pipe, and its number on the pipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::observe) struct Moment {
    pub(in crate::observe) core: u32,
    pub(in crate::observe) pipe: u8,
    pub(in crate::observe) count: u32,
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
    /// Whether this clock includes `other`, a clock of the same core.
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
    /// Joins a clock of the same core. Returns whether this clock has changed.
    pub(in crate::observe) fn join(&mut self, other: &Clock) -> bool {
        self.learn(other, Known::join)
    }

    /// Joins a clock of core `from` into this one of core `me`. Returns whether this clock has changed.
    pub(in crate::observe) fn join_from(&mut self, me: u32, from: u32, other: &Clock) -> bool {
        self.learn(other, |known, other| known.join_from(me, from, other))
    }

    /// Joins the clock of the program and the clock of each changed program.
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

    /// The clock of a changed program.
    pub(in crate::observe) fn after(&self, change: &Change) -> &Known {
        self.changed.get(change).unwrap_or(&self.known)
    }

    /// Sets the clock of a changed program.
    pub(in crate::observe) fn set_after(&mut self, change: Change, known: Known) {
        match known == self.known {
            true => self.changed.remove(&change),
            false => self.changed.insert(change, known),
        };
    }

    /// Applies a function to the clock of the program and to those of all changed programs.
    pub(in crate::observe) fn each(&mut self, mut act: impl FnMut(&mut Known)) {
        act(&mut self.known);
        self.changed.values_mut().for_each(act);
    }

    /// Whether an instruction happens before, seen from core `me`.
    pub(in crate::observe) fn knows(&self, me: u32, moment: &Moment) -> bool {
        self.known.has(me, moment)
    }

    /// Whether the program's clock includes `other`, a clock of the same core.
    pub(in crate::observe) fn covers(&self, other: &Known) -> bool {
        self.known.covers(other)
    }

    /// The changes after which the clock would not include `other`.
    pub(in crate::observe) fn uncovers(&self, other: &Known) -> impl Iterator<Item = Change> {
        self.changed.iter().filter(move |(_, known)| !known.covers(other)).map(|(change, _)| *change)
    }

    /// The changes after which an instruction would no longer happen before.
    pub(in crate::observe) fn lost(&self, me: u32, moment: Moment) -> impl Iterator<Item = Change> {
        self.changed.iter().filter(move |(_, known)| !known.has(me, &moment)).map(|(change, _)| *change)
    }

    /// Drops changes that need not be tracked any more.
    pub(in crate::observe) fn forget(&mut self, keep: impl Fn(&Change) -> bool) {
        self.changed.retain(|change, _| keep(change));
    }
}
