//! Where the elements of a matrix lie, and copying from one placement to another.
//!
//! A copy is planned as blocks in which both placements have constant strides: whole matrices if possible,
//! else boxes. A block whose rows (or columns) are contiguous on both sides goes as runs of bytes; one that is
//! contiguous along rows on one side and along columns on the other as small transposes.

mod axis;
mod block;
pub mod interleave;
mod transpose;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use axis::{Axis, Cursor};
use block::{Block, Kernels, Memory};

/// Placement of a matrix in memory: boxes of `box_rows` x `box_cols` elements. Strides are in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    /// Byte of element (0, 0).
    pub offset: usize,
    /// Rows of a box, at least 1; `usize::MAX` if boxes do not divide the rows.
    pub box_rows: usize,
    /// Columns of a box, at least 1; `usize::MAX` if boxes do not divide the columns.
    pub box_cols: usize,
    /// Elements from a box to the one below.
    pub row_of_boxes: usize,
    /// Elements from a box to the one to the right.
    pub col_of_boxes: usize,
    /// Elements from a row to the next inside a box.
    pub row: usize,
    /// Elements from a column to the next inside a box.
    pub col: usize,
}

impl Placement {
    /// Rows of consecutive elements, `row_stride` elements apart.
    pub const fn rows(offset: usize, row_stride: usize) -> Placement {
        Placement::strided(offset, row_stride, 1)
    }

    /// Columns of consecutive elements, `col_stride` elements apart.
    pub const fn columns(offset: usize, col_stride: usize) -> Placement {
        Placement::strided(offset, 1, col_stride)
    }

    /// Constant strides, in elements, and no boxes.
    pub const fn strided(offset: usize, row: usize, col: usize) -> Placement {
        Placement {
            offset,
            box_rows: usize::MAX,
            box_cols: usize::MAX,
            row_of_boxes: 0,
            col_of_boxes: 0,
            row,
            col,
        }
    }

    /// Whether it is rows of consecutive elements.
    fn is_rows(&self) -> bool {
        self.box_rows == usize::MAX && self.box_cols == usize::MAX && self.col == 1
    }

    /// Whether it is columns of consecutive elements.
    fn is_columns(&self) -> bool {
        self.box_rows == usize::MAX && self.box_cols == usize::MAX && self.row == 1
    }

    /// The placement of these elements with rows and columns exchanged.
    pub const fn transposed(&self) -> Placement {
        Placement {
            offset: self.offset,
            box_rows: self.box_cols,
            box_cols: self.box_rows,
            row_of_boxes: self.col_of_boxes,
            col_of_boxes: self.row_of_boxes,
            row: self.col,
            col: self.row,
        }
    }

    /// Elements from (0, 0) to (`row`, `col`).
    #[inline]
    pub const fn index(&self, row: usize, col: usize) -> usize {
        row / self.box_rows * self.row_of_boxes
            + col / self.box_cols * self.col_of_boxes
            + row % self.box_rows * self.row
            + col % self.box_cols * self.col
    }

    /// This placement of `rows` x `cols` elements with boxes as large as constant strides allow.
    pub(crate) fn widened(&self, rows: usize, cols: usize) -> Placement {
        let mut wide = *self;
        if rows <= self.box_rows || self.row_of_boxes == self.box_rows * self.row {
            (wide.box_rows, wide.row_of_boxes) = (usize::MAX, 0);
        } else if self.box_rows == 1 {
            (wide.box_rows, wide.row, wide.row_of_boxes) = (usize::MAX, self.row_of_boxes, 0);
        }
        if cols <= self.box_cols || self.col_of_boxes == self.box_cols * self.col {
            (wide.box_cols, wide.col_of_boxes) = (usize::MAX, 0);
        } else if self.box_cols == 1 {
            (wide.box_cols, wide.col, wide.col_of_boxes) = (usize::MAX, self.col_of_boxes, 0);
        }
        wide
    }

    /// Down a column and across a row, in bytes, of elements of `width` bytes.
    pub(crate) fn axes(&self, width: usize) -> [Axis; 2] {
        let axis = |side, of_boxes: usize, inside: usize| Axis {
            side,
            of_boxes: of_boxes.saturating_mul(width),
            inside: inside.saturating_mul(width),
        };
        [axis(self.box_rows, self.row_of_boxes, self.row), axis(self.box_cols, self.col_of_boxes, self.col)]
    }
}

/// Copies `rows` x `cols` elements of `bits` (8, 16, 32, 64) from one placement to another in one buffer.
///
/// The two are disjoint or equal.
pub fn copy_matrix(mem: &mut [u8], dst: &Placement, src: &Placement, rows: usize, cols: usize, bits: u32) {
    if dst != src {
        copy(&mut Memory { dst: mem, src: None }, dst, src, rows, cols, bits);
    }
}

/// Copies `rows` x `cols` elements of `bits` (8, 16, 32, 64) from a placement in one buffer to one in another.
pub fn transfer(
    dst_mem: &mut [u8],
    dst: &Placement,
    src_mem: &[u8],
    src: &Placement,
    rows: usize,
    cols: usize,
    bits: u32,
) {
    copy(&mut Memory { dst: dst_mem, src: Some(src_mem) }, dst, src, rows, cols, bits);
}

/// A copy of runs of bytes in one buffer: where the first run of the destination begins and the bytes from one to the next;
/// the same of the source; how many runs there are, and the bytes of one. The two are disjoint or equal.
pub type RowsFn = fn(&mut [u8], (usize, usize), (usize, usize), usize, usize);

/// The copy of runs of bytes that are part of `total` bytes, which it goes through in turn.
pub fn rows_copy(total: usize) -> RowsFn {
    block::rows(total)
}

/// A copy of pairs of runs to places side by side, in one buffer: where the first pair of the destination begins and the bytes
/// from one to the next; the same of the first runs in the source; from there to the second ones; how many pairs there are, and
/// the bytes of one run. Destination and source are disjoint, but for runs in their place.
pub type PairsFn = fn(&mut [u8], (usize, usize), (usize, usize), usize, usize, usize);

/// The copy of pairs of runs that are part of something large.
pub fn pairs_copy() -> PairsFn {
    block::pairs()
}

/// Copies runs of bytes, as [`RowsFn`] says, where it is not worth a look-up before.
pub fn copy_rows(mem: &mut [u8], dst: (usize, usize), src: (usize, usize), rows: usize, bytes: usize) {
    rows_copy(rows * bytes)(mem, dst, src, rows, bytes);
}

fn copy(memory: &mut Memory<'_>, dst: &Placement, src: &Placement, rows: usize, cols: usize, bits: u32) {
    let width = bits as usize / 8;
    if dst.is_rows() || dst.is_columns() {
        match (dst.is_rows(), src.is_rows()) {
            (true, true) => {
                let lines = |placement: &Placement| (placement.offset, placement.row * width);
                let block = Block::rows(lines(dst), lines(src), rows, cols * width);
                return block::select_runs()(memory, &block);
            }
            // A fifth of the time of a small one is to find out that it is one.
            (true, false) if src.is_columns() && rows <= ROWS_AT_ONCE => {
                let block = Block::new(dst, src, [rows, cols], width);
                return Kernels::select(width).turn(memory, &block);
            }
            // The bands of a large matrix are rows of what is written.
            (false, true) => return copy(memory, &dst.transposed(), &src.transposed(), cols, rows, bits),
            _ => {}
        }
    }
    let (dst, src) = (dst.widened(rows, cols), src.widened(rows, cols));
    let kernels = Kernels::select(width);
    let block = Block::new(&dst, &src, [rows, cols], width);
    let one = |placement: &Placement| rows <= placement.box_rows && cols <= placement.box_cols;
    if one(&dst) && one(&src) && (rows <= ROWS_AT_ONCE || block.is_runs(width)) {
        return kernels.copy(memory, block);
    }
    let ([dst_down, dst_across], [src_down, src_across]) = (dst.axes(width), src.axes(width));
    let (mut to, mut from) = (dst_across.cursor(), src_across.cursor());
    let mut pieces = [Piece::default(); PIECES];
    let mut col = 0;
    while col < cols {
        // Where the pieces of the columns lie is found once, not for each piece of the rows.
        let mut found = 0;
        while col < cols && found < PIECES {
            let size = (cols - col).min(to.rest()).min(from.rest());
            let start = [dst.offset + to.place(), src.offset + from.place()];
            if found == 0 || !pieces[found - 1].takes(size, start) {
                pieces[found] = Piece { size, start, ..Piece::default() };
                found += 1;
            }
            col += size;
            to.advance(size);
            from.advance(size);
        }
        let (mut to, mut from, mut row) = (dst_down.cursor(), src_down.cursor(), 0);
        while row < rows {
            let size = (rows - row).min(to.rest()).min(from.rest());
            let size = if block.dst_strides == block.src_strides { size } else { size.min(ROWS_AT_ONCE) };
            for piece in &pieces[..found] {
                let (dst, src) = (piece.start[0] + to.place(), piece.start[1] + from.place());
                let (size, times, steps) = ([size, piece.size], piece.more + 1, piece.steps);
                kernels.copy(memory, Block { dst, src, size, times, steps, ..block });
            }
            row += size;
            to.advance(size);
            from.advance(size);
        }
    }
}

/// Rows that are copied before the next columns are: a cache keeps the lines of so many, even where they are a power of
/// two apart.
const ROWS_AT_ONCE: usize = 64;

/// Columns that lie in one box on either side: how many, the bytes of the first in row 0 of destination and source; and
/// how many more such pieces follow, in which steps of bytes.
#[derive(Clone, Copy, Default)]
struct Piece {
    size: usize,
    start: [usize; 2],
    more: usize,
    steps: [usize; 2],
}

impl Piece {
    /// Takes the piece behind it along, if it continues the steps.
    fn takes(&mut self, size: usize, start: [usize; 2]) -> bool {
        if self.size != size || start[0] < self.start[0] || start[1] < self.start[1] {
            return false;
        }
        let steps = [start[0] - self.start[0], start[1] - self.start[1]];
        if self.more == 0 {
            self.steps = steps;
        }
        let fits = steps == self.steps.map(|step| step * (self.more + 1));
        self.more += usize::from(fits);
        fits
    }
}

/// Pieces of the columns that are in hand at once.
const PIECES: usize = 32;

/// Sets `count` consecutive elements of `bits` (8, 16, 32, 64) at byte `offset` to the low bits of `pattern`.
pub fn fill(mem: &mut [u8], offset: usize, bits: u32, pattern: u64, count: usize) {
    fn set<const BYTES: usize>(range: &mut [u8], pattern: u64) {
        let mut element = [0; BYTES];
        element.copy_from_slice(&pattern.to_le_bytes()[..BYTES]);
        range.as_chunks_mut::<BYTES>().0.fill(element);
    }
    let range = &mut mem[offset..offset + count * bits as usize / 8];
    match bits {
        8 => range.fill(pattern as u8),
        16 => set::<2>(range, pattern),
        32 => set::<4>(range, pattern),
        _ => set::<8>(range, pattern),
    }
}

#[cfg(test)]
mod tests;
