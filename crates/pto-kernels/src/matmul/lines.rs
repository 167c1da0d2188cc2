//! Placement of the words of a product: factors as lines of words along k.
//!
//! A line is a row of A or a column of B, so that both factors have one representation; the lines of C are its rows,
//! with columns as steps.

use crate::layout::{Axis, Placement};

/// Bytes of a word: an f32, an i32, or a pair of i16 adjacent along k.
pub(super) const WORD: usize = 4;

/// Lines of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    /// The buffer that contains the words; the machine's memory if `None`.
    buffer: Option<&'a [u8]>,
    /// Byte offset of the first word of the first line.
    pub(super) offset: usize,
    /// Byte offset of the end of the words of all lines.
    pub(super) end: usize,
    /// Axis from line to line.
    pub(super) line: Axis,
    /// Number of lines.
    pub(super) lines: usize,
    /// Axis along a line.
    pub(super) step: Axis,
    /// Words of a line.
    pub(super) steps: usize,
    /// Loop that makes words of narrow elements; `None` if the elements are words.
    pub(super) widen: Option<Widen>,
}

/// Widens elements, up to the end of the shorter buffer.
pub(super) type Widen = fn(&[u8], &mut [u8]);

impl<'a> Lines<'a> {
    /// The rows of a matrix of words, `size` lines and steps, each at least 1.
    pub(super) fn new(buffer: Option<&'a [u8]>, place: &Placement, size: [usize; 2]) -> Lines<'a> {
        Self::of(buffer, place, size, (WORD, None))
    }

    /// The rows of a matrix in memory whose words are not made yet, of `width` bytes of elements per word.
    pub(super) fn narrow(place: &Placement, size: [usize; 2], width: usize, widen: Widen) -> Lines<'a> {
        Self::of(None, place, size, (width, Some(widen)))
    }

    /// The rows of a matrix of words, or of elements of `width` bytes per word.
    #[inline]
    fn of(
        buffer: Option<&'a [u8]>,
        place: &Placement,
        [lines, steps]: [usize; 2],
        (width, widen): (usize, Option<Widen>),
    ) -> Lines<'a> {
        let offset = place.offset;
        let [line, step] = place.axes(width);
        let farthest = line.farthest(lines).saturating_add(step.farthest(steps));
        let end = offset.saturating_add(farthest).saturating_add(width);
        Lines { buffer, offset, end, line, lines, step, steps, widen }
    }

    /// These lines with `buffer` in place of their own.
    pub(super) fn of_buffer<'b>(&self, buffer: &'b [u8]) -> Lines<'b> {
        Lines { buffer: Some(buffer), ..*self }
    }

    /// Whether the extents of both in memory are disjoint.
    pub(super) fn apart_from(&self, other: &Lines<'_>) -> bool {
        self.end <= other.offset || other.end <= self.offset
    }

    /// Whether all words are inside their buffer, or, if they are in memory, inside `mem` bytes.
    pub(super) fn inside(&self, mem: usize) -> bool {
        self.end <= self.buffer.map_or(mem, <[u8]>::len)
    }

    /// Pointer to the first word; `mem` points to the start of memory.
    pub(super) fn pointer(&self, mem: *const u8) -> *const u8 {
        self.buffer.map_or(mem, <[u8]>::as_ptr).wrapping_add(self.offset)
    }
}

/// Extent of a matrix of `rows` x `cols` elements, in elements, gaps included.
pub(super) fn extent(place: &Placement, rows: usize, cols: usize) -> usize {
    let [down, across] = place.axes(1);
    down.farthest(rows).saturating_add(across.farthest(cols)).saturating_add(1)
}
