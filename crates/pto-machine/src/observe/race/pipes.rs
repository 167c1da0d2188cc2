//! The synchronization of one core: clocks of its pipes, flags, buffer tokens.
//!
//! Each operation is one of the joins of [`clock`](super::clock). The copy of the clock that a set stores is dropped by its wait, as a flag holds one set;
//! the clock at the end of that wait is kept, since a flag may be set again only after it: a set that this clock does not happen before
//! is a misuse. `taught` remembers, for each pair of pipes, the operation that last ordered one after the other: it is named where a later
//! operation orders nothing new.

use super::clock::{Clock, Known, PIPES};
use super::reliance::Change;
use crate::sim::event::{FlagKey, Place};
use crate::sim::flag_file::FlagFile;
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use std::collections::BTreeMap;

/// Index of a pipe in clocks.
pub(in crate::observe) fn slot_of(pipe: Pipe) -> usize {
    match pipe {
        Pipe::Scalar | Pipe::All => 0,
        Pipe::Vector => 1,
        Pipe::Mte1 => 2,
        Pipe::Mte2 => 3,
        Pipe::Mte3 => 4,
        Pipe::Matrix => 5,
        Pipe::Fixpipe => 6,
    }
}

/// The pipe at an index in clocks.
pub(in crate::observe) fn pipe_at(slot: u8) -> Pipe {
    const ALL: [Pipe; PIPES] =
        [Pipe::Scalar, Pipe::Vector, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Matrix, Pipe::Fixpipe];
    ALL[usize::from(slot) % PIPES]
}

/// A flag that is set.
#[derive(Clone, Debug)]
pub(in crate::observe) struct SetFlag {
    pub(in crate::observe) clock: Clock,
    /// The function and the operation that set it.
    pub(in crate::observe) by: Place,
}

/// The synchronization that makes a wait or a barrier redundant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::observe) enum Cover {
    /// An earlier operation.
    By(Place),
    /// None is needed: there is nothing to order.
    Nothing,
    /// Several operations, or an unknown one.
    Unknown,
}

/// Clocks of the pipes of a core, and its flags and tokens.
#[derive(Clone, Debug)]
pub(in crate::observe) struct Pipes {
    pub(in crate::observe) clocks: [Clock; PIPES],
    pub(in crate::observe) issued: [u32; PIPES],
    pub(in crate::observe) flags: FlagFile<SetFlag>,
    /// The last wait for each flag: the clock at its end, and the operation.
    taken: BTreeMap<FlagKey, (Known, Place)>,
    tokens: BTreeMap<u32, Clock>,
    /// For each pair of pipes, the operation that last ordered the second one before the first.
    taught: [[Option<Place>; PIPES]; PIPES],
}

impl Pipes {
    pub(in crate::observe) fn new() -> Pipes {
        Pipes {
            clocks: std::array::from_fn(|_| Clock::default()),
            issued: [0; PIPES],
            flags: FlagFile::default(),
            taken: BTreeMap::new(),
            tokens: BTreeMap::new(),
            taught: [[None; PIPES]; PIPES],
        }
    }

    /// The core begins a further launch: no flag and no token of the previous one is left.
    pub(in crate::observe) fn end_launch(&mut self) {
        self.flags = FlagFile::default();
        self.taken.clear();
        self.tokens.clear();
    }

    /// Issues one instruction, which the scalar unit's earlier work precedes. Returns its number.
    pub(in crate::observe) fn issue(&mut self, profile: Profile, pipe: Pipe) -> u32 {
        let at = slot_of(pipe);
        self.follow_scalar(at);
        self.issued[at] += 1;
        if profile.orders_itself(pipe) {
            let issued = self.issued[at];
            self.clocks[at].each(|known| known.own[at] = issued);
        }
        self.issued[at]
    }

    /// Issues an instruction on each of its pipes, in sequence. Returns the numbers by pipe.
    pub(in crate::observe) fn issue_phases(&mut self, profile: Profile, phases: &[Pipe]) -> [u32; PIPES] {
        let mut counts = [0; PIPES];
        for (at, pipe) in phases.iter().enumerate() {
            if at > 0 {
                let done = self.finished(phases[at - 1]);
                self.learn(*pipe, &done, None, &[]);
            }
            counts[slot_of(*pipe)] = self.issue(profile, *pipe);
        }
        counts
    }

    /// A pipe waits for another one without a removable operation: within an instruction, or for a value.
    pub(in crate::observe) fn handshake(&mut self, from: Pipe, to: Pipe) {
        let done = self.finished(from);
        self.learn(to, &done, None, &[]);
    }

    fn follow_scalar(&mut self, at: usize) {
        if at != 0 {
            let (scalar, others) = self.clocks.split_at_mut(1);
            let before = others[at - 1].known.own;
            others[at - 1].join(&scalar[0]);
            let raised = |pipe: &usize| self.clocks[at].known.own[*pipe] > before[*pipe];
            for pipe in (0..PIPES).filter(raised) {
                self.taught[at][pipe] = self.taught[0][pipe];
            }
        }
    }

    /// The clock after everything that was issued to a pipe has ended.
    pub(in crate::observe) fn finished(&mut self, pipe: Pipe) -> Clock {
        if pipe == Pipe::All {
            let mut all = Clock::default();
            for at in 0..PIPES {
                all.join(&self.clocks[at]);
            }
            all.each(|known| known.own = self.issued);
            return all;
        }
        let at = slot_of(pipe);
        self.follow_scalar(at);
        let mut clock = self.clocks[at].clone();
        clock.each(|known| known.own[at] = self.issued[at]);
        clock
    }

    /// Joins a clock into a pipe, or into all; the operation that orders them can be removed by these changes. Returns whether
    /// a clock has changed.
    pub(in crate::observe) fn learn(
        &mut self,
        pipe: Pipe,
        clock: &Clock,
        by: Option<Place>,
        changes: &[Change],
    ) -> bool {
        if pipe == Pipe::All {
            return (0..PIPES).fold(false, |news, at| self.learn_at(at, clock, by, changes) | news);
        }
        let at = slot_of(pipe);
        self.follow_scalar(at);
        self.learn_at(at, clock, by, changes)
    }

    fn learn_at(&mut self, at: usize, clock: &Clock, by: Option<Place>, changes: &[Change]) -> bool {
        let (ours, issued) = (&mut self.clocks[at], self.issued[at]);
        let before = ours.known.own;
        let without: Vec<Known> = changes.iter().map(|change| ours.after(change).clone()).collect();
        let news = ours.join(clock);
        for (change, mut known) in changes.iter().zip(without) {
            if change.keeps == Some(at as u8) {
                known.own[at] = issued;
            }
            ours.set_after(*change, known);
        }
        for pipe in (0..PIPES).filter(|pipe| ours.known.own[*pipe] > before[*pipe]) {
            self.taught[at][pipe] = by;
        }
        news
    }

    /// A barrier of one pipe, or of all. Returns whether it orders anything.
    pub(in crate::observe) fn barrier(&mut self, pipe: Pipe, by: Place, changes: &[Change]) -> bool {
        let done = self.finished(pipe);
        self.learn(pipe, &done, Some(by), changes)
    }

    /// The operation that already orders the instructions of another pipe before a pipe.
    pub(in crate::observe) fn cover(&self, from: Pipe, to: Pipe) -> Cover {
        // For a barrier of all pipes: the operation of the last pipe.
        let told = |from: usize| self.taught[slot_of(to)][from];
        match from {
            Pipe::All if self.issued == [0; PIPES] => Cover::Nothing,
            Pipe::All => (0..PIPES).find_map(told).map_or(Cover::Unknown, Cover::By),
            _ if self.issued[slot_of(from)] == 0 => Cover::Nothing,
            _ => told(slot_of(from)).map_or(Cover::Unknown, Cover::By),
        }
    }

    /// A pipe has waited for a flag. The wait ends when the flag is set and the earlier instructions of the pipe have
    /// ended.
    pub(in crate::observe) fn took(&mut self, key: FlagKey, by: Place) {
        let over = self.finished(key.to).known;
        self.taken.insert(key, (over, by));
    }

    /// The clock at the end of the last wait for a flag, and that operation.
    pub(in crate::observe) fn last_wait(&self, key: FlagKey) -> Option<&(Known, Place)> {
        self.taken.get(&key)
    }

    /// Releases a buffer token.
    pub(in crate::observe) fn release(&mut self, pipe: Pipe, token: u32, changes: &[Change]) {
        let done = self.finished(pipe);
        let held = self.tokens.entry(token).or_default();
        let without: Vec<Known> = changes.iter().map(|change| held.after(change).clone()).collect();
        held.join(&done);
        changes.iter().zip(without).for_each(|(change, known)| held.set_after(*change, known));
    }

    /// Acquires a buffer token: orders the pipe after everything before the token's last release.
    pub(in crate::observe) fn acquire(&mut self, pipe: Pipe, token: u32, by: Place, changes: &[Change]) {
        if let Some(clock) = self.tokens.get(&token).cloned() {
            self.learn(pipe, &clock, Some(by), changes);
        }
    }

    /// Drops the changes that are no longer tracked.
    pub(in crate::observe) fn forget(&mut self, keep: impl Fn(&Change) -> bool) {
        let flags = self.flags.values_mut().map(|flag| &mut flag.clock);
        self.clocks
            .iter_mut()
            .chain(flags)
            .chain(self.tokens.values_mut())
            .for_each(|clock| clock.forget(&keep));
    }
}
