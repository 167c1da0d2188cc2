//! Where the words of a product lie: factors as lines of words along k.
//!
//! A line is a row of A or a column of B, so that both factors are the same kind of thing; C is lines that are
//! rows, with columns for steps.

use crate::layout::{Axis, Placement};

/// Bytes of a word: an f32, an i32, or a pair of i16 that follow each other along k.
pub(super) const WORD: usize = 4;

/// Words in lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    /// The buffer that they are in; the machine's memory if `None`.
    buffer: Option<&'a [u8]>,
    /// Byte of the first word of the first line, and after the last word that any line has.
    pub(super) offset: usize,
    pub(super) end: usize,
    /// From line to line, and how many there are.
    pub(super) line: Axis,
    pub(super) lines: usize,
    /// Along a line, and how many words that are.
    pub(super) step: Axis,
    pub(super) steps: usize,
    /// What makes words of the elements that lie there instead.
    pub(super) widen: Option<Widen>,
}

/// Widens elements, up to the end of the shorter buffer.
pub(super) type Widen = fn(&[u8], &mut [u8]);

impl<'a> Lines<'a> {
    /// The rows of a matrix of words, of a `size` of lines and steps, each at least 1.
    pub(super) fn new(buffer: Option<&'a [u8]>, place: &Placement, size: [usize; 2]) -> Lines<'a> {
        Self::of(buffer, place, size, (WORD, None))
    }

    /// The rows of a matrix in memory whose words are still to be made of `width` bytes each.
    pub(super) fn narrow(place: &Placement, size: [usize; 2], width: usize, widen: Widen) -> Lines<'a> {
        Self::of(None, place, size, (width, Some(widen)))
    }

    /// The rows of a matrix of words, or of what words are made of, of `width` bytes.
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

    /// These lines in a buffer.
    pub(super) fn of_buffer<'b>(&self, buffer: &'b [u8]) -> Lines<'b> {
        Lines { buffer: Some(buffer), ..*self }
    }

    /// Whether all words of one come before those of the other, both in memory.
    pub(super) fn apart_from(&self, other: &Lines<'_>) -> bool {
        self.end <= other.offset || other.end <= self.offset
    }

    /// Whether all words are in their buffer, `mem` bytes of memory if they are there.
    pub(super) fn inside(&self, mem: usize) -> bool {
        self.end <= self.buffer.map_or(mem, <[u8]>::len)
    }

    /// The first word, `mem` being where the machine's memory starts.
    pub(super) fn pointer(&self, mem: *const u8) -> *const u8 {
        self.buffer.map_or(mem, <[u8]>::as_ptr).wrapping_add(self.offset)
    }
}

/// Elements that a matrix of `rows` x `cols` reaches over, with whatever lies between them.
pub(super) fn extent(place: &Placement, rows: usize, cols: usize) -> usize {
    let [down, across] = place.axes(1);
    down.farthest(rows).saturating_add(across.farthest(cols)).saturating_add(1)
}
