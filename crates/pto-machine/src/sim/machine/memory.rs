//! The memory of a block: bytes aligned to a cache line, so that no aligned vector crosses two lines.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// Size of a cache line in bytes.
const LINE: usize = 64;

/// Bytes aligned to [`LINE`].
#[derive(Debug, Default)]
pub(in crate::sim) struct BlockMemory {
    room: Vec<u8>,
    start: usize,
    bytes: usize,
}

impl BlockMemory {
    /// Memory of `bytes` zeros.
    pub(super) fn zeros(bytes: usize) -> BlockMemory {
        let room = vec![0; bytes + LINE];
        let start = room.as_ptr().align_offset(LINE).min(LINE);
        BlockMemory { room, start, bytes }
    }
}

/// Memories of ended blocks, kept for the next launch of a program: clearing the written bytes of a small program takes less
/// than 1 µs, getting more than 1 MB of zeros from the system 30 µs.
#[derive(Debug, Default)]
pub(in crate::sim) struct Spares(Mutex<Vec<BlockMemory>>);

impl Spares {
    /// Most memories that are kept.
    const MOST: usize = 8;

    /// Memory of zeros; every call must ask for the same size.
    pub(super) fn take(&self, bytes: usize) -> BlockMemory {
        self.all(Vec::pop).unwrap_or_else(|| BlockMemory::zeros(bytes))
    }

    /// Keeps a memory that has been cleared.
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
