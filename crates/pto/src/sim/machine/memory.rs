//! The memory of a block: bytes that begin where a cache line does, so that no vector straddles two.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Bytes of a cache line.
const LINE: usize = 64;

/// Bytes that begin at a multiple of [`LINE`].
#[derive(Debug, Default)]
pub(in crate::sim) struct BlockMemory {
    room: Vec<u8>,
    start: usize,
    bytes: usize,
}

impl BlockMemory {
    /// So many zeros.
    pub(super) fn zeros(bytes: usize) -> BlockMemory {
        let room = vec![0; bytes + LINE];
        let start = room.as_ptr().align_offset(LINE).min(LINE);
        BlockMemory { room, start, bytes }
    }
}

/// Memories of a program's blocks that have ended, for its next launch: to clear what a small program wrote takes less than a
/// microsecond, and to get more than a megabyte of zeros from the system thirty.
#[derive(Debug, Default)]
pub(in crate::sim) struct Spares(Mutex<Vec<BlockMemory>>);

impl Spares {
    /// As many as are kept, however many blocks a launch has had at a time.
    const MOST: usize = 8;

    /// So many zeros, as many as all before.
    pub(super) fn take(&self, bytes: usize) -> BlockMemory {
        self.all(Vec::pop).unwrap_or_else(|| BlockMemory::zeros(bytes))
    }

    /// Keeps memory that holds zeros again.
    pub(super) fn keep(&self, memory: BlockMemory) {
        self.all(|all| {
            if all.len() < Spares::MOST {
                all.push(memory);
            }
        });
    }

    fn all<R>(&self, use_them: impl FnOnce(&mut Vec<BlockMemory>) -> R) -> R {
        use_them(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Deref for BlockMemory {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.room[self.start..self.start + self.bytes]
    }
}

impl DerefMut for BlockMemory {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.start..self.start + self.bytes]
    }
}
