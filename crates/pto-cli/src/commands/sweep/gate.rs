//! Memory limit for the arguments of concurrent launches.

use std::sync::{Condvar, Mutex, PoisonError};

/// Most bytes of arguments of concurrent launches, unless a single launch has more.
const ROOM: u64 = 1 << 30;

/// Admits launches while there is memory for their arguments.
#[derive(Default)]
pub(super) struct Gate {
    used: Mutex<u64>,
    freed: Condvar,
}

/// The memory of one launch, until it is dropped.
pub(super) struct Ticket<'a> {
    gate: &'a Gate,
    bytes: u64,
}

impl Gate {
    /// Waits until `bytes` are free, or no other launch is admitted.
    pub(super) fn enter(&self, bytes: u64) -> Ticket<'_> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let full = |used: &mut u64| *used > 0 && used.saturating_add(bytes) > ROOM;
        let mut used = self.freed.wait_while(used, full).unwrap_or_else(PoisonError::into_inner);
        *used += bytes;
        Ticket { gate: self, bytes }
    }
}

impl Drop for Ticket<'_> {
    fn drop(&mut self) {
        *self.gate.used.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.gate.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn a_launch_waits_until_there_is_room_and_the_largest_runs_alone() {
        let (gate, inside) = (Gate::default(), AtomicBool::new(false));
        let small = [gate.enter(ROOM / 2), gate.enter(ROOM / 2)];
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _large = gate.enter(3 * ROOM);
                inside.store(true, Ordering::SeqCst);
            });
            let [first, second] = small;
            drop(first);
            assert!(!inside.load(Ordering::SeqCst));
            drop(second);
        });
        assert!(inside.load(Ordering::SeqCst));
        assert_eq!(*gate.used.lock().unwrap(), 0);
    }
}
