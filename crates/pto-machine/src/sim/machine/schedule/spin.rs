//! Endless loops of one core: an iteration ends in the state in which it began.
//!
//! A core is deterministic: its next step follows from its registers and from state that instructions change: the
//! memory of the block, global memory, flags and queues. Each instruction counts as a change
//! ([`Machine::changes`](super::Machine)), on every core. So if a core has the same [`Registers`] at two steps, and
//! there was no change between them, then the steps between them repeat until another core changes something. The
//! core yields, and runs no step before that; if no core and no block can do anything else, the loop is endless.
//!
//! The search is that of Brent: a state is kept, and compared with the states that follow it, in windows that grow
//! with the number of steps since the last change. A window is searched after 2^12, 2^13, ... of these steps, step by
//! step, for a part of [`SHARE`] of them. A loop of n steps is found after at most 2 * [`SHARE`] * n steps, and a
//! core that runs long without a change is slowed down by a few percent; kernels whose instructions change something
//! are never searched.

use super::super::{Core, Machine};
use super::Pause;
use super::polls::Registers;
use pto_isa::diag::Diagnostic;

/// Steps without a change before the first search.
const FIRST: u64 = 1 << 12;

/// Number of steps of which one is part of a search.
const SHARE: u64 = 256;

/// Fewest steps of a search.
const LEAST: u64 = 64;

/// The search for repetitions of a core.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Spin {
    /// Number of changes at the start of the search.
    changes: u64,
    /// Steps since then.
    steps: u64,
    /// Steps after which a window is searched next.
    next: u64,
    /// Whether the state repeats.
    found: bool,
}

impl Default for Spin {
    fn default() -> Spin {
        Spin { changes: 0, steps: 0, next: FIRST, found: false }
    }
}

impl Spin {
    /// Whether the core repeats its steps, and nothing has changed since that was found.
    pub(in super::super) fn is_found(&self, changes: u64) -> bool {
        self.found && self.changes == changes
    }

    /// Counts steps. Returns the length of the window that is to be searched now.
    pub(in super::super) fn count(&mut self, changes: u64, steps: u64) -> Option<u64> {
        if changes != self.changes {
            *self = Spin { changes, ..Spin::default() };
        }
        self.steps += steps;
        let is_due = self.steps >= self.next;
        is_due.then(|| {
            self.next = self.steps * 2;
            (self.steps / SHARE).max(LEAST)
        })
    }
}

impl Machine<'_> {
    /// Runs the steps of a window one by one, until the core has the state from before them, or pauses for another
    /// reason.
    pub(in super::super) fn look_for_repetition(
        &mut self,
        core: &mut Core,
        at: &mut usize,
        spin: &mut Spin,
        window: u64,
        left: &mut u64,
    ) -> Result<Option<Pause>, Vec<Diagnostic>> {
        let before = Registers::of(core, *at);
        for _ in 0..window.min(left.saturating_sub(1)) {
            let mut one = 1;
            let pause = self.run(core, at, &mut one)?;
            *left -= 1 - one;
            if !matches!(pause, Pause::Turn) {
                return Ok(Some(pause));
            }
            if self.state.changes != spin.changes {
                return Ok(None);
            }
            if before.are_those_of(core, *at) {
                spin.found = true;
                return Ok(Some(Pause::Spin));
            }
        }
        Ok(None)
    }
}
