//! Where an instruction reads: its sources may lie in the bytes that it writes.

use super::state::{State, Tile};
use std::ops::Range;

impl State<'_> {
    /// Where the sources of an instruction are to be read: at their own places, or, where one overlaps the
    /// destination other than exactly, at a copy made now. So the result is as if all were read first.
    #[inline(always)]
    pub fn settle<const N: usize>(&mut self, dst: &Tile, sources: [&Tile; N]) -> [usize; N] {
        let start = self.live(dst).address;
        let end = start + dst.bytes();
        let mut free = self.spare.start;
        let mut places = [0; N];
        for (place, source) in places.iter_mut().zip(sources) {
            *place = self.live(source).address;
            if *place < end && start < *place + source.bytes() {
                *place = self.settle_one(dst, source, *place, &mut free);
            }
        }
        places
    }

    /// The address to read a source from that shares a byte with the destination: its own, or that of a copy.
    #[inline(never)]
    fn settle_one(&mut self, dst: &Tile, source: &Tile, address: usize, free: &mut usize) -> usize {
        let target = self.bytes_of(dst);
        let same = address == target.start
            && source.layout == dst.layout
            && source.ty.element.bits() == dst.ty.element.bits();
        if same { address } else { self.kept((address, source.bytes()), &[target], free) }
    }

    /// The bytes that a tile lies in.
    pub(crate) fn bytes_of(&self, tile: &Tile) -> Range<usize> {
        let start = self.live(tile).address;
        start..start + tile.bytes()
    }

    /// Where the sources of an instruction that reads elements after it has written others are to be read: at their own
    /// places, or at a copy of those that share a byte with a destination.
    pub(crate) fn apart<const M: usize, const N: usize>(
        &mut self,
        outs: [&Tile; M],
        sources: [&Tile; N],
    ) -> [usize; N] {
        let mut free = self.spare.start;
        self.apart_from(outs, sources, &mut free)
    }

    /// The addresses to read sources from, with copies from `free` on in the spare room, which moves behind them.
    pub(crate) fn apart_from<const M: usize, const N: usize>(
        &mut self,
        outs: [&Tile; M],
        sources: [&Tile; N],
        free: &mut usize,
    ) -> [usize; N] {
        let written = outs.map(|out| self.bytes_of(out));
        sources.map(|source| self.kept((self.live(source).address, source.bytes()), &written, free))
    }

    /// Where a source (its address and bytes) is read: at its place, or, if something that is written overlaps it, at a
    /// copy made now at `free` in the spare room, which moves behind it.
    pub(crate) fn kept(
        &mut self,
        (address, bytes): (usize, usize),
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

    /// A copy of `bytes` bytes, out of the way of those that [`State::settle`] makes. There is one at a time.
    pub fn copy_aside(&mut self, from: usize, bytes: usize) -> usize {
        let copy = (self.spare.end - bytes) / 64 * 64;
        self.memory.copy_within(from..from + bytes, copy);
        copy
    }
}
