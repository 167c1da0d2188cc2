//! Placements of matrices in memory, and copies from one placement to another.
//!
//! A copy is planned as blocks in which both placements have constant strides: whole matrices if possible, else boxes.
//! A block whose rows (or columns) are contiguous in both placements is copied as runs of bytes; one that is contiguous
//! along rows in one and along columns in the other is copied as small transposes.

mod axis;
mod block;
pub mod interleave;
mod memory;
mod transpose;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use axis::{Axis, Cursor};
use block::{Block, Kernels};
use memory::Memory;

/// Placement of a matrix in memory: boxes of `box_rows` x `box_cols` elements. Strides are in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placement {
    /// Byte of element (0, 0).
    pub offset: usize,
    /// Rows of a box, at least 1; `usize::MAX` if boxes do not divide the rows.
    pub box_rows: usize,
    /// Columns of a box, at least 1; `usize::MAX` if boxes do not divide the columns.
    pub box_cols: usize,
    /// Elements from one box to the box below.
    pub row_of_boxes: usize,
    /// Elements from one box to the box to its right.
    pub col_of_boxes: usize,
    /// Elements from one row to the next inside a box.
    pub row: usize,
    /// Elements from one column to the next inside a box.
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

    /// Whether rows are contiguous, without boxes.
    fn is_rows(&self) -> bool {
        self.box_rows == usize::MAX && self.box_cols == usize::MAX && self.col == 1
    }

    /// Whether columns are contiguous, without boxes.
    fn is_columns(&self) -> bool {
        self.box_rows == usize::MAX && self.box_cols == usize::MAX && self.row == 1
    }

    /// The placement of the transposed matrix.
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

    /// Index of element (`row`, `col`) relative to element (0, 0), in elements.
    #[inline]
    pub const fn index(&self, row: usize, col: usize) -> usize {
        row / self.box_rows * self.row_of_boxes
            + col / self.box_cols * self.col_of_boxes
            + row % self.box_rows * self.row
            + col % self.box_cols * self.col
    }

    /// This placement for a matrix of `rows` x `cols` elements, with boxes as large as constant strides allow.
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

    /// The axis down a column and the axis across a row, in bytes, for elements of `width` bytes.
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

/// A copy of runs of bytes in one buffer. Arguments: buffer; byte offset of the first run and bytes from one run to the
/// next, for the destination and then for the source; number of runs; bytes per run. The ranges are disjoint or equal.
pub type RowsFn = fn(&mut [u8], (usize, usize), (usize, usize), usize, usize);

/// The copy of runs of bytes that are part of `total` bytes, copied in order.
pub fn rows_copy(total: usize) -> RowsFn {
    block::rows(total)
}

/// A copy of pairs of runs to adjacent places in one buffer. Arguments: buffer; byte offset of the first pair of the
/// destination and bytes from one pair to the next; the same two numbers for the first runs of the source; bytes from a
/// first run to its second run; number of pairs; bytes per run. Destination and source are disjoint, except for runs
/// that already are in place.
pub type PairsFn = fn(&mut [u8], (usize, usize), (usize, usize), usize, usize, usize);

/// The copy of pairs of runs in a copy larger than L1.
pub fn pairs_copy() -> PairsFn {
    block::pairs()
}

/// Copies runs of bytes as a [`RowsFn`] does, for single copies that need no selection in advance.
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
            // For a small transpose, the general planning below takes a fifth of the time.
            (true, false) if src.is_columns() && rows <= ROWS_AT_ONCE => {
                let block = Block::new(dst, src, [rows, cols], width);
                return Kernels::select(width).turn(memory, &block);
            }
            // Large matrices are cut into bands of rows of the destination.
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
        // The pieces of the columns are computed once, not for each piece of the rows.
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

/// Rows copied before the next columns: few enough that a cache keeps their lines, even at strides of a power of two.
const ROWS_AT_ONCE: usize = 64;

/// `size` columns in one box of both placements; `start`: byte offsets of the first column in row 0, in destination and
/// source; `more`: number of further pieces of this size, `steps` bytes apart in destination and source.
#[derive(Clone, Copy, Default)]
struct Piece {
    size: usize,
    start: [usize; 2],
    more: usize,
    steps: [usize; 2],
}

impl Piece {
    /// Appends a piece to this one if it continues the steps; returns whether it does.
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

/// Column pieces planned at once.
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
