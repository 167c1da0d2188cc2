//! The loops of a product over tiles of C.
//!
//! B is taken in panels of a few vectors of columns. A panel is read in place if its rows are contiguous, else it is
//! packed: row by row, padded with zeros. A is read in place; a tile of C does not straddle the boxes of A. C is read
//! and written in place if vectors of columns are contiguous there, else through a local tile.

use super::Init;
use super::lines::{Lines, WORD};
use super::micro::{COLUMNS, Micro, MicroArguments, ROWS};
use super::pack::Packer;
use crate::aligned::Aligned;
use crate::layout::{Axis, Cursor};

/// Bytes from one row of a local tile to the next.
const TILE_ROW: usize = COLUMNS * WORD;

/// Largest extent in bytes of the rows of a panel that is read in place. Every tile reads all rows; rows spread wider
/// compete for the same cache sets.
const NEAR: usize = 1 << 15;

/// A product of prepared factors.
pub(super) struct Product<'a> {
    /// The rows of A.
    pub(super) a: &'a Lines<'a>,
    /// The columns of B, with as many words as the rows of A.
    pub(super) b: &'a Lines<'a>,
    /// The rows of C.
    pub(super) c: &'a Lines<'a>,
    /// Whether the last word of each line is a pair whose second element must be ignored.
    pub(super) padded: bool,
    pub(super) init: Init,
    pub(super) micro: Micro,
}

/// Columns of B and C that are computed at once.
#[derive(Clone, Copy)]
struct Panel {
    width: usize,
    vectors: usize,
    /// Index of the first column.
    left: usize,
    /// Position of the first column in B.
    b: Cursor,
    /// Position of the first column in C.
    c: Cursor,
}

impl Panel {
    /// Bytes from one vector of columns to the next along `axis` from `first` on; `None` unless the panel fills its
    /// vectors, their columns are contiguous and the distances are equal.
    fn distance(&self, axis: &Axis, first: &Cursor, lanes: usize) -> Option<usize> {
        if self.width < self.vectors * lanes || axis.inside != WORD || !axis.unbroken(lanes) {
            return None;
        }
        let place = |vector: usize| first.after(vector * lanes).place() - first.place();
        (2..self.vectors).all(|vector| place(vector) == vector * place(1)).then(|| place(1))
    }
}

impl Product<'_> {
    /// Computes C.
    pub(super) fn run(&self, mem: &mut [u8], buffers: [&mut Vec<u8>; 2]) {
        self.check(mem.len());
        match self.turned() {
            Some(columns) => self.run_turned(mem, columns, buffers),
            None => self.run_panels(mem, buffers),
        }
    }

    /// Computes C panel by panel of B.
    fn run_panels(&self, mem: &mut [u8], mut buffers: [&mut Vec<u8>; 2]) {
        let (n, lanes) = (self.b.lines, self.micro.lanes);
        let mut panel =
            Panel { width: 0, vectors: 0, left: 0, b: self.b.line.cursor(), c: self.c.step.cursor() };
        while panel.left < n {
            panel.vectors = self.micro.vectors(n - panel.left);
            panel.width = (n - panel.left).min(panel.vectors * lanes);
            self.panel(mem, &panel, &mut buffers);
            panel.left += panel.width;
            panel.b.advance(panel.width);
            panel.c.advance(panel.width);
        }
    }

    /// Panics unless factors, C and the row of initial values are inside `len` bytes of memory.
    fn check(&self, len: usize) {
        let (m, n) = (self.a.lines, self.b.lines);
        assert!(self.a.steps == self.b.steps && self.c.lines == m && self.c.steps == n);
        assert!([self.a, self.b, self.c].iter().all(|lines| lines.inside(len)), "not in memory");
        if let Init::Row { offset } = self.init {
            assert!(offset.saturating_add(n.saturating_mul(WORD)) <= len, "the row is not in memory");
        }
    }

    /// Computes the columns of a panel.
    fn panel(&self, mem: &mut [u8], panel: &Panel, buffers: &mut [&mut Vec<u8>; 2]) {
        let lanes = self.micro.lanes;
        let in_c = panel.distance(&self.c.step, &panel.c, lanes);
        let near = self.b.step.side == usize::MAX && self.b.steps * self.b.step.inside <= NEAR;
        let in_place = near && self.b.widen.is_none();
        let in_b = panel.distance(&self.b.line, &panel.b, lanes).filter(|_| in_place);
        let packed = in_b.is_none().then(|| self.packer(panel).pack(mem, buffers));
        let memory = mem.as_mut_ptr();
        let (a_start, b_start) = (self.a.pointer(memory), self.b.pointer(memory));
        let vector = lanes * WORD;
        let (start, start_row, start_vector) = match self.init {
            Init::Zero => (std::ptr::null(), 0, vector),
            Init::Accumulate => (std::ptr::null(), self.c.line.inside, in_c.unwrap_or(0)),
            Init::Row { offset } => (memory.wrapping_add(offset + panel.left * WORD).cast_const(), 0, vector),
        };
        let mut operands = MicroArguments {
            steps: self.a.steps,
            run: self.a.step.side,
            a: a_start,
            a_rows: std::array::from_fn(|row| self.a.line.inside.wrapping_mul(row)),
            a_step: self.a.step.inside,
            a_box: self.a.step.of_boxes,
            b: packed.unwrap_or(b_start.wrapping_add(panel.b.place())),
            b_step: if packed.is_some() { panel.vectors * vector } else { self.b.step.inside },
            b_vector: in_b.unwrap_or(vector),
            start,
            start_row,
            start_vector,
            c: memory,
            c_row: self.c.line.inside,
            c_vector: in_c.unwrap_or(0),
        };
        let to = self.c.offset + panel.c.place();
        let (mut a, mut c, mut top) = (self.a.line.cursor(), self.c.line.cursor(), 0);
        while top < self.a.lines {
            let rest = (self.a.lines - top).min(a.rest()).min(c.rest());
            let height = self.micro.rows(panel.vectors, rest);
            operands.a = a_start.wrapping_add(a.place());
            // SAFETY: `run` has checked that the words of A and B are in their buffers; packed panels have all rows;
            // the `height` rows of A and C are in the box of the first. C and the row are in memory, and the columns of
            // the panel are contiguous if there is a distance between its vectors.
            unsafe {
                if in_c.is_some() {
                    operands.c = memory.wrapping_add(to + c.place());
                    if let Init::Accumulate = self.init {
                        operands.start = operands.c;
                    }
                    (self.micro.run)(&operands, height, panel.vectors);
                } else {
                    self.tile_by_copy(memory, panel, &operands, to + c.place(), height);
                }
            }
            top += height;
            a.advance(height);
            c.advance(height);
        }
    }

    /// The packer of a panel of B.
    fn packer<'b>(&'b self, panel: &'b Panel) -> Packer<'b> {
        Packer {
            factor: self.b,
            first: &panel.b,
            width: panel.width,
            stride: panel.vectors * self.micro.lanes * WORD,
            padded: self.padded,
            micro: &self.micro,
        }
    }

    /// Computes a tile of C at byte `to` of memory through a local copy, for columns that are not contiguous or do not
    /// fill vectors.
    ///
    /// # Safety
    ///
    /// `operands` describes readable words of A, B and the row for `height` rows and the panel's vectors; C is in
    /// memory.
    unsafe fn tile_by_copy(
        &self,
        memory: *mut u8,
        panel: &Panel,
        operands: &MicroArguments,
        to: usize,
        height: usize,
    ) {
        let Aligned(tile) = &mut Aligned([0; ROWS * TILE_ROW]);
        let local = tile.as_mut_ptr();
        // Calls `body` with the pointers to each word of a row, in memory and in the tile.
        let each = |row: usize, body: &mut dyn FnMut(*mut u8, *mut u8)| {
            let mut column = panel.c;
            for j in 0..panel.width {
                let place = to + row * self.c.line.inside + column.place() - panel.c.place();
                body(memory.wrapping_add(place), local.wrapping_add(row * TILE_ROW + j * WORD));
                column.advance(1);
            }
        };
        for row in 0..height {
            match self.init {
                Init::Zero => {}
                // SAFETY: the caller's: a word of C, which is not the tile.
                Init::Accumulate => each(row, &mut |c, tile| unsafe { copy_word(tile, c) }),
                Init::Row { .. } => {
                    let to = local.wrapping_add(row * TILE_ROW);
                    // SAFETY: the caller's: the row has the panel's columns, and a row of the tile at least as many.
                    unsafe { std::ptr::copy_nonoverlapping(operands.start, to, panel.width * WORD) }
                }
            }
        }
        let vector = self.micro.lanes * WORD;
        let operands = MicroArguments {
            start: local,
            start_row: TILE_ROW,
            start_vector: vector,
            c: local,
            c_row: TILE_ROW,
            c_vector: vector,
            ..*operands
        };
        // SAFETY: the caller's; the tile has ROWS rows of COLUMNS columns.
        unsafe { (self.micro.run)(&operands, height, panel.vectors) }
        for row in 0..height {
            // SAFETY: the caller's: words of C, which is not the tile.
            each(row, &mut |c, tile| unsafe { copy_word(c, tile) });
        }
    }
}

/// # Safety
///
/// `from` is readable and `to` writable for a word, and the two do not overlap.
#[inline(always)]
unsafe fn copy_word(to: *mut u8, from: *const u8) {
    // SAFETY: the caller's; bytes need no alignment.
    unsafe { to.cast::<[u8; WORD]>().write(from.cast::<[u8; WORD]>().read()) }
}
