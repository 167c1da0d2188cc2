//! The synchronization of one core: what each pipe knows, flags, buffer tokens.

use super::clock::{Clock, PIPES};
use crate::isa::pipe::Pipe;
use crate::isa::profile::Profile;
use std::collections::BTreeMap;

/// The place of a pipe in clocks.
pub(super) fn slot_of(pipe: Pipe) -> usize {
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

/// The pipe at a place in clocks.
pub(super) fn pipe_at(slot: u8) -> Pipe {
    const ALL: [Pipe; PIPES] =
        [Pipe::Scalar, Pipe::Vector, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Matrix, Pipe::Fixpipe];
    ALL[usize::from(slot) % PIPES]
}

/// Whether an instruction of a pipe is done before the next one of the same pipe begins. Sources:
/// `include/pto/common/event.hpp`: an event between two instructions of one pipe is a barrier of that pipe on A2/A3, and on
/// A5 for MTE2 and MTE3.
pub(super) fn orders_itself(profile: Profile, pipe: Pipe) -> bool {
    match (profile, pipe) {
        (_, Pipe::Scalar) => true,
        (Profile::A2A3, _) => false,
        (_, pipe) => !matches!(pipe, Pipe::Mte2 | Pipe::Mte3),
    }
}

/// A flag that is set.
#[derive(Clone, Debug)]
pub(super) struct SetFlag {
    pub(super) clock: Clock,
    /// The function and the operation that set it.
    pub(super) by: (u32, u32),
}

/// From one pipe to another, with a number.
pub(super) type FlagKey = (u8, u8, u64);

/// What the pipes of a core know.
#[derive(Clone, Debug)]
pub(super) struct Pipes {
    pub(super) clocks: [Clock; PIPES],
    pub(super) issued: [u32; PIPES],
    pub(super) flags: BTreeMap<FlagKey, SetFlag>,
    tokens: BTreeMap<u64, Clock>,
}

impl Pipes {
    pub(super) fn new() -> Pipes {
        Pipes {
            clocks: std::array::from_fn(|_| Clock::default()),
            issued: [0; PIPES],
            flags: BTreeMap::new(),
            tokens: BTreeMap::new(),
        }
    }

    /// Issues one instruction: the scalar unit has done what comes before it. Gives its number.
    pub(super) fn issue(&mut self, profile: Profile, pipe: Pipe) -> u32 {
        let at = slot_of(pipe);
        self.follow_scalar(at);
        self.issued[at] += 1;
        if orders_itself(profile, pipe) {
            self.clocks[at].own[at] = self.issued[at];
        }
        self.issued[at]
    }

    fn follow_scalar(&mut self, at: usize) {
        if at != 0 {
            let (scalar, others) = self.clocks.split_at_mut(1);
            others[at - 1].join(&scalar[0]);
        }
    }

    /// What is known when everything that was issued to a pipe is done.
    pub(super) fn finished(&mut self, pipe: Pipe) -> Clock {
        if pipe == Pipe::All {
            let mut all = Clock::default();
            for at in 0..PIPES {
                all.join(&self.clocks[at]);
                all.own[at] = self.issued[at];
            }
            return all;
        }
        let at = slot_of(pipe);
        self.follow_scalar(at);
        let mut clock = self.clocks[at].clone();
        clock.own[at] = self.issued[at];
        clock
    }

    /// A pipe, or all of them, go on only after what a clock knows. Says whether that is news to any.
    pub(super) fn learn(&mut self, pipe: Pipe, clock: &Clock) -> bool {
        if pipe == Pipe::All {
            return self.clocks.iter_mut().fold(false, |news, own| own.join(clock) | news);
        }
        let at = slot_of(pipe);
        self.follow_scalar(at);
        self.clocks[at].join(clock)
    }

    /// A barrier of one pipe, or of all. Says whether it orders anything.
    pub(super) fn barrier(&mut self, pipe: Pipe) -> bool {
        let done = self.finished(pipe);
        self.learn(pipe, &done)
    }

    /// Gives a buffer token back.
    pub(super) fn release(&mut self, pipe: Pipe, token: u64) {
        let done = self.finished(pipe);
        self.tokens.entry(token).or_default().join(&done);
    }

    /// Takes a buffer token: what was done under it comes first.
    pub(super) fn acquire(&mut self, pipe: Pipe, token: u64) {
        if let Some(clock) = self.tokens.get(&token).cloned() {
            self.learn(pipe, &clock);
        }
    }
}
