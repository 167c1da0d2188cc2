//! Copies of sources that alias a destination.

use super::state::{State, Tile};
use std::ops::Range;

impl State<'_> {
    /// The addresses from which to read the sources of an instruction. A source that overlaps the destination, but
    /// is not identical to it, is copied to spare memory, so that the result is as if all sources were read first.
    #[inline(always)]
    pub fn unalias<const N: usize>(&mut self, dst: &Tile, sources: [&Tile; N]) -> [usize; N] {
        let start = self.live(dst).address;
        let end = start + dst.bytes();
        let mut free = self.spare.start;
        let mut places = [0; N];
        for (place, source) in places.iter_mut().zip(sources) {
            *place = self.live(source).address;
            if *place < end && start < *place + source.bytes() {
                *place = self.unalias_one(dst, source, *place, &mut free);
            }
        }
        places
    }

    /// The address from which to read a source that overlaps the destination: its own, or that of a copy.
    #[inline(never)]
    fn unalias_one(&mut self, dst: &Tile, source: &Tile, address: usize, free: &mut usize) -> usize {
        let target = self.bytes_of(dst);
        let same = address == target.start
            && source.layout == dst.layout
            && source.ty.element.bits() == dst.ty.element.bits();
        if same { address } else { self.kept(address, source.bytes(), &[target], free) }
    }

    /// The byte range of a tile.
    pub(crate) fn bytes_of(&self, tile: &Tile) -> Range<usize> {
        let start = self.live(tile).address;
        start..start + tile.bytes()
    }

    /// Addresses from which to read the sources of an instruction that reads elements after it has written others. A source
    /// that overlaps a destination is copied to spare memory.
    pub(crate) fn apart<const M: usize, const N: usize>(
        &mut self,
        outs: [&Tile; M],
        sources: [&Tile; N],
    ) -> [usize; N] {
        let mut free = self.spare.start;
        self.apart_from(outs, sources, &mut free)
    }

    /// Like [`State::apart`], but copies start at `free` in spare memory; advances `free` past the copies.
    pub(crate) fn apart_from<const M: usize, const N: usize>(
        &mut self,
        outs: [&Tile; M],
        sources: [&Tile; N],
        free: &mut usize,
    ) -> [usize; N] {
        let written = outs.map(|out| self.bytes_of(out));
        sources.map(|source| self.kept(self.live(source).address, source.bytes(), &written, free))
    }

    /// The address from which to read a source of `bytes` bytes: its own, or, if it overlaps a written
    /// range, the address of a copy at `free` in spare memory; advances `free` past the copy.
    pub(crate) fn kept(
        &mut self,
        address: usize,
        bytes: usize,
        written: &[Range<usize>],
        free: &mut usize,
    ) -> usize {
        let end = address + bytes;
        let overlaps = written.iter().any(|range| address < range.end && range.start < end);
        if !overlaps || *free + bytes > self.spare.end {
            return address;
        }
        self.memory.copy_within(address..end, *free);
        let copy = *free;
        *free = (copy + bytes).next_multiple_of(64);
        copy
    }

    /// Copies `bytes` bytes to the end of the spare memory, which [`State::unalias`] does not use. Only one such copy exists
    /// at a time.
    pub fn copy_aside(&mut self, from: usize, bytes: usize) -> usize {
        let copy = (self.spare.end - bytes) / 64 * 64;
        self.memory.copy_within(from..from + bytes, copy);
        copy
    }
}
