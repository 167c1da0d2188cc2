//! Where the words of a product lie: factors as lines of words along k.
//!
//! A line is a row of A or a column of B, so that both factors are the same kind of thing; C is lines that are
//! rows, with columns for steps.

use crate::layout::Placement;

/// Bytes of a word: an f32, an i32, or a pair of i16 that follow each other along k.
pub(super) const WORD: usize = 4;

/// The places of elements 0, 1, ... along one axis, in bytes: boxes of `side` elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    pub(super) side: usize,
    /// From a box to the next.
    pub(super) of_boxes: usize,
    /// From an element to the next inside a box.
    pub(super) inside: usize,
}

impl Axis {
    /// The farthest place of `count` elements, at least 1; `usize::MAX` if it is beyond all memory.
    fn farthest(&self, count: usize) -> usize {
        let last = count - 1;
        if last < self.side {
            return last.saturating_mul(self.inside);
        }
        let place = |boxes: usize, index: usize| {
            boxes.saturating_mul(self.of_boxes).saturating_add(index.saturating_mul(self.inside))
        };
        let boxes = last / self.side;
        place(boxes, last - boxes * self.side).max(place(boxes - 1, self.side - 1))
    }

    /// Whether `count` elements, a power of two, from each multiple of `count` are contiguous.
    pub(super) fn contiguous(&self, count: usize) -> bool {
        self.inside == WORD && self.unbroken(count)
    }

    /// Whether `count` elements, a power of two, from each multiple of `count` share a box.
    pub(super) fn unbroken(&self, count: usize) -> bool {
        self.side == usize::MAX || self.side & (count - 1) == 0
    }

    pub(super) fn cursor(&self) -> Cursor {
        Cursor { axis: *self, start: 0, index: 0 }
    }
}

/// An element of an axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    axis: Axis,
    /// Where its box starts, and its index there.
    start: usize,
    index: usize,
}

impl Cursor {
    /// Its place.
    pub(super) fn place(&self) -> usize {
        self.start + self.index * self.axis.inside
    }

    /// Elements from this one to the end of its box.
    pub(super) fn rest(&self) -> usize {
        self.axis.side - self.index
    }

    /// Goes to the element `count` further.
    pub(super) fn advance(&mut self, count: usize) {
        self.index += count;
        while self.index >= self.axis.side {
            self.index -= self.axis.side;
            self.start += self.axis.of_boxes;
        }
    }

    /// The element `count` further.
    pub(super) fn after(mut self, count: usize) -> Cursor {
        self.advance(count);
        self
    }
}

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
}

impl<'a> Lines<'a> {
    /// The rows of a matrix of words, `lines` x `steps`, each at least 1.
    pub(super) fn new(buffer: Option<&'a [u8]>, place: &Placement, [lines, steps]: [usize; 2]) -> Lines<'a> {
        let Placement { offset, box_rows, box_cols, row_of_boxes, col_of_boxes, row, col } = *place;
        let axis = |side, of_boxes: usize, inside: usize| Axis {
            side,
            of_boxes: of_boxes.saturating_mul(WORD),
            inside: inside.saturating_mul(WORD),
        };
        let (line, step) = (axis(box_rows, row_of_boxes, row), axis(box_cols, col_of_boxes, col));
        let farthest = line.farthest(lines).saturating_add(step.farthest(steps));
        let end = offset.saturating_add(farthest).saturating_add(WORD);
        Lines { buffer, offset, end, line, lines, step, steps }
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

/// The rows of a matrix that are another one's columns.
pub(super) fn transposed(place: &Placement) -> Placement {
    Placement {
        offset: place.offset,
        box_rows: place.box_cols,
        box_cols: place.box_rows,
        row_of_boxes: place.col_of_boxes,
        col_of_boxes: place.row_of_boxes,
        row: place.col,
        col: place.row,
    }
}

/// Elements that a matrix of `rows` x `cols` reaches over, with whatever lies between them.
pub(super) fn extent(place: &Placement, rows: usize, cols: usize) -> usize {
    let Placement { box_rows, box_cols, row_of_boxes, col_of_boxes, row, col, .. } = *place;
    let down = Axis { side: box_rows, of_boxes: row_of_boxes, inside: row }.farthest(rows);
    let across = Axis { side: box_cols, of_boxes: col_of_boxes, inside: col }.farthest(cols);
    down.saturating_add(across).saturating_add(1)
}
