//! Overlays: the view of one of several concurrent runs on a shared buffer. An overlay holds the run's own writes,
//! copied on write from the shared contents, and a footprint of its accesses.
//!
//! Every access declares its bytes. Writes are recorded per byte; reads per granule of 32 bytes, and only if they
//! read bytes that the run has not written before.

use super::bits::{Bits, CHUNK_BITS, mask, words};
use super::storage::Storage;
use pto_kernels::Placement;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Bytes per bit of the record of reads. The record of writes has one bit per byte, so one of its 64-bit words
/// covers two granules.
const GRANULE: usize = 32;

/// Bytes per page, the unit of copy on write.
pub const PAGE: usize = 4096;

/// The elements of a buffer that an access covers.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// The placement of the elements in the buffer.
    pub placement: Placement,
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// Bits per element.
    pub bits: u32,
}

impl Area {
    /// One element: number `index` of the elements that start at byte `start`.
    pub fn element(start: usize, index: usize, bits: u32) -> Area {
        let offset = start + index * bits as usize / 8;
        Area { placement: Placement::rows(offset, 1), rows: 1, cols: 1, bits }
    }

    /// A range of bytes.
    pub fn bytes(range: Range<usize>) -> Area {
        Area { placement: Placement::rows(range.start, 0), rows: 1, cols: range.len(), bits: 8 }
    }

    /// Calls `each` for runs of bytes that cover the elements; adjacent runs are merged where that is cheap.
    pub fn runs(&self, mut each: impl FnMut(Range<usize>)) {
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

    /// Calls `each` with the first index and the length of each contiguous run of elements.
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

/// The bytes of a buffer that a run has accessed.
#[derive(Clone, Debug, Default)]
pub struct Footprint {
    /// One bit per granule.
    read: Bits,
    /// One bit per byte.
    written: Bits,
}

impl Footprint {
    /// Records a read of the bytes that were not written before.
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

    /// Whether two footprints conflict: one has written bytes that the other has read or written.
    pub fn meets(&self, other: &Footprint) -> bool {
        self.written.meets(&other.written) || self.reads_of(other) || other.reads_of(self)
    }

    /// Whether this footprint has read bytes that the other one has written.
    fn reads_of(&self, other: &Footprint) -> bool {
        let read = |word: usize| self.read.word(word / 32) >> (word % 32 * 2);
        !self.read.is_empty() && other.written.words().any(|(word, bits)| read(word) & granules(bits) != 0)
    }
}

/// The granules that have a bit set, as two bits, for a word of the record of writes.
fn granules(bytes: u64) -> u64 {
    u64::from(bytes as u32 != 0) | u64::from(bytes >> 32 != 0) << 1
}

/// The overlay of one run on a shared buffer.
#[derive(Clone, Debug)]
pub struct Overlay {
    /// The contents shared by all runs.
    shared: Arc<Storage>,
    /// Copies of pages, valid where `pages` has a bit set; empty until the first write. It has the size of the
    /// buffer, but is allocated zeroed, so that the system only backs pages that are used.
    own: Vec<u8>,
    /// One bit per page: whether it has been copied.
    pages: Bits,
    footprint: Footprint,
}

impl Overlay {
    /// An overlay over `shared` without written bytes.
    pub fn new(shared: Arc<Storage>) -> Overlay {
        Overlay { shared, own: Vec::new(), pages: Bits::default(), footprint: Footprint::default() }
    }

    pub(crate) fn size(&self) -> usize {
        self.shared.len()
    }

    /// The buffer, for reading `area`.
    pub fn read(&mut self, area: &Area) -> &[u8] {
        area.runs(|run| {
            self.bring(&run, false);
            self.footprint.note_read(run);
        });
        if self.own.is_empty() { &self.shared } else { &self.own }
    }

    /// The buffer, for writing all of `area`. Elements smaller than a byte may be written in part of a byte, so
    /// they are also recorded as read.
    pub fn write(&mut self, area: &Area) -> &mut [u8] {
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

    /// Copies the pages of a run that have not been copied; pages that will be overwritten completely are only
    /// marked.
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

    /// The accesses so far.
    pub fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    /// The written bytes; other memory is released.
    pub fn into_written(self) -> Written {
        Written { bytes: self.own, footprint: self.footprint }
    }
}

/// The bytes that one run has written.
pub struct Written {
    bytes: Vec<u8>,
    footprint: Footprint,
}

impl Written {
    /// Whether the run has written nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.footprint.written.is_empty()
    }

    /// Calls `each` for the runs of written bytes.
    pub(crate) fn runs(&self, each: impl FnMut(Range<usize>)) {
        self.footprint.written.runs(0..usize::MAX, each);
    }
}

/// Bytes of a buffer per thread when written bytes are merged.
pub const WORTH_A_THREAD: usize = 1 << 20;

/// Merges the bytes that several runs have written into the shared buffer; no byte was written by two of them.
pub fn put_together(all: &[Written], buffer: &mut [u8]) {
    let all: Vec<&Written> = all.iter().filter(|written| !written.is_empty()).collect();
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
        // If the system cannot start a thread, this thread does the work.
        (1..threads).all(|_| thread::Builder::new().spawn_scoped(scope, work).is_ok());
        work();
    });
}
