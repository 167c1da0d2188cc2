//! Threads of which one runs at a time: a driver gives the turn to one of them, and sleeps until it gives the turn back.

use pto::diag::Diagnostic;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Whose turn it is, between a driver and one of its threads.
pub(crate) enum Turn {
    /// The driver's, before the thread has begun or while it waits.
    Driver,
    /// The thread's.
    Thread,
    /// The driver's: the thread has come to its end.
    Ended,
    /// The driver's: these findings stopped the thread.
    Stopped(Vec<Diagnostic>),
}

/// Where a driver and a thread hand the turn to each other.
pub(crate) struct Gate {
    turn: Mutex<Turn>,
    changed: Condvar,
}

impl Gate {
    /// Passes the turn to `give`, if present, and sleeps until `mine` accepts the turn.
    fn wait(&self, give: Option<Turn>, mine: impl Fn(&Turn) -> bool) -> Turn {
        let mut turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(give) = give {
            *turn = give;
            self.changed.notify_all();
        }
        while !mine(&turn) {
            turn = self.changed.wait(turn).unwrap_or_else(PoisonError::into_inner);
        }
        // The turn itself stays: only findings are taken.
        match &mut *turn {
            Turn::Stopped(findings) => Turn::Stopped(std::mem::take(findings)),
            Turn::Driver => Turn::Driver,
            Turn::Thread => Turn::Thread,
            Turn::Ended => Turn::Ended,
        }
    }

    /// A gate before which a thread waits for its first turn.
    pub(crate) fn new() -> Arc<Gate> {
        Arc::new(Gate { turn: Mutex::new(Turn::Driver), changed: Condvar::new() })
    }

    /// The driver lets the thread run until it ends, waits or is stopped.
    pub(crate) fn run_thread(&self) -> Turn {
        self.wait(Some(Turn::Thread), |turn| !matches!(turn, Turn::Thread))
    }

    /// The thread sleeps until it is its turn, after it has let others run.
    pub(crate) fn wait_for_turn(&self, give: Option<Turn>) {
        self.wait(give, |turn| matches!(turn, Turn::Thread));
    }

    /// The thread gives its turn away for ever.
    pub(crate) fn leave(&self, give: Turn) {
        *self.turn.lock().unwrap_or_else(PoisonError::into_inner) = give;
        self.changed.notify_all();
    }
}
