//! Room for the arguments of launches that run at the same time.

use std::sync::{Condvar, Mutex, PoisonError};

/// Bytes of arguments that launches have together, unless one alone has more.
const ROOM: u64 = 1 << 30;

/// Lets launches in as long as there is room.
#[derive(Default)]
pub(super) struct Gate {
    used: Mutex<u64>,
    freed: Condvar,
}

/// The room of one launch, until it is dropped.
pub(super) struct Ticket<'a> {
    gate: &'a Gate,
    bytes: u64,
}

impl Gate {
    /// Waits until there is room for `bytes`, or nobody else is inside.
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
