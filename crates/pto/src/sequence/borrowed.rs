//! A part of a buffer, on loan to a launch.

use pto_machine::sim::{Lent, Storage};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// The place where a buffer's contents are between launches.
pub(super) type Home = Arc<Mutex<Storage>>;

/// Bytes of a buffer that a launch uses in place. The whole buffer goes home when the launch drops it, even if it failed.
pub(super) struct Borrowed {
    whole: Storage,
    part: Range<usize>,
    home: Home,
}

impl Borrowed {
    /// Takes a buffer from its home, to use the bytes in `part`, which must be within it.
    pub(super) fn of(home: &Home, part: Range<usize>) -> Borrowed {
        let whole = std::mem::take(&mut *home.lock().unwrap_or_else(PoisonError::into_inner));
        Borrowed { whole, part, home: Arc::clone(home) }
    }
}

impl Lent for Borrowed {
    fn bytes(&self) -> &[u8] {
        &self.whole[self.part.clone()]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.whole.to_mut()[self.part.clone()]
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        let whole = std::mem::take(&mut self.whole);
        *self.home.lock().unwrap_or_else(PoisonError::into_inner) = whole;
    }
}
