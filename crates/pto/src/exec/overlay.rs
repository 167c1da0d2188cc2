//! A buffer that several read and write at once, as one of them sees it: its own writes over what all have in common,
//! and a record of what it touched.
//!
//! Every access says which bytes it is about. Those written are recorded one by one; those read in granules of
//! 32 bytes, and only where something is read that its reader has not written before.

mod bits;

use bits::{Bits, CHUNK_BITS, mask, words};
use pto_kernels::Placement;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Bytes that one bit of the record of reads stands for. The record of writes has a bit for each byte, so a word of it
/// covers two granules.
const GRANULE: usize = 32;

/// Bytes that are copied at once before some of them are written.
const PAGE: usize = 4096;

/// The elements of a buffer that an access is about.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// Where they are.
    pub placement: Placement,
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// Bits of an element.
    pub bits: u32,
}

impl Area {
    /// One element, so many elements after the byte `start`.
    pub fn element(start: usize, index: usize, bits: u32) -> Area {
        let offset = start + index * bits as usize / 8;
        Area { placement: Placement::rows(offset, 1), rows: 1, cols: 1, bits }
    }

    /// Bytes.
    pub fn bytes(range: Range<usize>) -> Area {
        Area { placement: Placement::rows(range.start, 0), rows: 1, cols: range.len(), bits: 8 }
    }

    /// The bytes that the elements touch, as few runs as are easily found.
    pub(crate) fn runs(&self, mut each: impl FnMut(Range<usize>)) {
        let mut pending = 0..0;
        self.runs_of_elements(|first, count| {
            if first != pending.end {
                each(self.bytes_of(&pending));
                pending.start = first;
            }
            pending.end = first + count;
        });
        each(self.bytes_of(&pending));
    }

    fn bytes_of(&self, elements: &Range<usize>) -> Range<usize> {
        let (bits, offset) = (self.bits as usize, self.placement.offset);
        offset + elements.start * bits / 8..offset + (elements.end * bits).div_ceil(8)
    }

    /// First element and number of elements of runs without gaps.
    fn runs_of_elements(&self, mut each: impl FnMut(usize, usize)) {
        let Placement { box_rows, box_cols, row, col, .. } = self.placement;
        let mut i = 0;
        while i < self.rows {
            let high = (self.rows - i).min(box_rows - i % box_rows);
            let mut j = 0;
            while j < self.cols {
                let wide = (self.cols - j).min(box_cols - j % box_cols);
                let first = self.placement.index(i, j);
                match (row, col) {
                    (row, 1) if row == wide => each(first, high * wide),
                    (_, 1) => (0..high).for_each(|i| each(first + i * row, wide)),
                    (1, col) if col == high => each(first, high * wide),
                    (1, _) => (0..wide).for_each(|j| each(first + j * col, high)),
                    _ => (0..high * wide).for_each(|at| each(first + at / wide * row + at % wide * col, 1)),
                }
                j += wide;
            }
            i += high;
        }
    }
}

/// What was touched of a buffer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    /// A bit for each granule.
    read: Bits,
    /// A bit for each byte.
    written: Bits,
}

impl Footprint {
    /// Notes that bytes are read: those that were not written before.
    fn note_read(&mut self, run: Range<usize>) {
        if run.is_empty() {
            return;
        }
        if self.written.is_empty() {
            self.read.set(run.start / GRANULE..run.end.div_ceil(GRANULE));
            return;
        }
        for word in words(&run) {
            let foreign = mask(&run, word) & !self.written.word(word);
            self.read.add(word / 32, granules(foreign) << (word % 32 * 2));
        }
    }

    /// Whether one has written what the other has read or written.
    pub(crate) fn meets(&self, other: &Footprint) -> bool {
        self.written.meets(&other.written) || self.reads_of(other) || other.reads_of(self)
    }

    /// Whether this one has read what the other has written.
    fn reads_of(&self, other: &Footprint) -> bool {
        let read = |word: usize| self.read.word(word / 32) >> (word % 32 * 2);
        !self.read.is_empty() && other.written.words().any(|(word, bits)| read(word) & granules(bits) != 0)
    }
}

/// Which of the two granules of a word of bytes have any.
fn granules(bytes: u64) -> u64 {
    u64::from(bytes as u32 != 0) | u64::from(bytes >> 32 != 0) << 1
}

/// A buffer as one of several sees it.
#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    /// What all have in common.
    shared: Arc<Vec<u8>>,
    /// What is seen instead where `pages` says so; empty until something is written. It is as large as the buffer, but
    /// made of zeros, so that systems keep room only for pages that are used.
    own: Vec<u8>,
    /// A bit for each page: whether it has been copied.
    pages: Bits,
    footprint: Footprint,
}

impl Overlay {
    pub(crate) fn new(shared: Arc<Vec<u8>>) -> Overlay {
        Overlay { shared, own: Vec::new(), pages: Bits::default(), footprint: Footprint::default() }
    }

    pub(crate) fn size(&self) -> usize {
        self.shared.len()
    }

    /// The buffer, of which this area is read.
    pub(crate) fn read(&mut self, area: &Area) -> &[u8] {
        area.runs(|run| {
            self.bring(&run, false);
            self.footprint.note_read(run);
        });
        if self.own.is_empty() { &self.shared } else { &self.own }
    }

    /// The buffer, of which this area is written, all of it; where elements share bytes, it may be in part.
    pub(crate) fn write(&mut self, area: &Area) -> &mut [u8] {
        if self.own.is_empty() {
            self.own = vec![0; self.shared.len()];
        }
        area.runs(|run| {
            let in_part = !area.bits.is_multiple_of(8);
            self.bring(&run, !in_part);
            if in_part {
                self.footprint.note_read(run.clone());
            }
            self.footprint.written.set(run);
        });
        &mut self.own
    }

    /// Copies the pages of a run that have not been copied, but for those that are about to be written whole.
    fn bring(&mut self, run: &Range<usize>, written: bool) {
        if self.own.is_empty() || run.is_empty() {
            return;
        }
        for page in run.start / PAGE..run.end.div_ceil(PAGE) {
            if self.pages.word(page / 64) >> (page % 64) & 1 == 0 {
                self.pages.set(page..page + 1);
                let place = page * PAGE..(page * PAGE + PAGE).min(self.shared.len());
                if !written || place.start < run.start || place.end > run.end {
                    self.own[place.clone()].copy_from_slice(&self.shared[place]);
                }
            }
        }
    }

    /// What was touched so far.
    pub(crate) fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// What is seen, where it was written; the rest is let go.
    pub(crate) fn into_written(self) -> Written {
        Written { bytes: self.own, footprint: self.footprint }
    }
}

/// What one of several has written.
pub(crate) struct Written {
    bytes: Vec<u8>,
    footprint: Footprint,
}

/// Bytes of a buffer that are worth a thread of their own when it is put together.
const WORTH_A_THREAD: usize = 1 << 20;

/// Copies what several have written, none where another one has, to the buffer that they had in common.
pub(crate) fn put_together(all: &[Written], buffer: &mut [u8]) {
    let all: Vec<&Written> = all.iter().filter(|written| !written.footprint.written.is_empty()).collect();
    if all.is_empty() {
        return;
    }
    let threads = (buffer.len() / WORTH_A_THREAD).clamp(1, all.len());
    let chunks = buffer.len().div_ceil(threads).div_ceil(CHUNK_BITS);
    let parts = Mutex::new(buffer.chunks_mut(chunks * CHUNK_BITS).enumerate());
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some((part, to)) = next() {
            let first = part * chunks;
            for written in &all {
                written.footprint.written.runs(first..first + chunks, |run| {
                    let place = run.start - first * CHUNK_BITS..run.end - first * CHUNK_BITS;
                    to[place].copy_from_slice(&written.bytes[run]);
                });
            }
        }
    };
    thread::scope(|scope| {
        // Where the system has no thread left, this one does the work.
        (1..threads).all(|_| thread::Builder::new().spawn_scoped(scope, work).is_ok());
        work();
    });
}

#[cfg(test)]
#[path = "overlay/tests.rs"]
mod tests;
