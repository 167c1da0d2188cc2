//! The memory of a block: bytes that begin where a cache line does, so that no vector straddles two.

use std::ops::{Deref, DerefMut};

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

impl Deref for BlockMemory {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.room[self.start..self.start + self.bytes]
    }
}

impl DerefMut for BlockMemory {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.start..self.start + self.bytes]
    }
}
