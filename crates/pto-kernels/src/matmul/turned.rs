//! Transposed products, for as many rows as a vector has words: vectors go down the rows of C.
//!
//! Each word of a panel of B is used once per row, so that for few rows packing B takes as long as multiplying. C' = B'
//! A' packs the few rows of A instead; B is read in place, each word broadcast, and squares of C are transposed on load
//! and store. The chains are unchanged.

use std::mem::MaybeUninit;

use super::Init;
use super::factor::grown;
use super::lines::{WORD, Widen};
use super::multiply::Product;
use super::pack::Packer;
use super::vector::{SQUARE, Vector};
use crate::aligned::Aligned;
use crate::prefetch;

/// Words of a vector, and columns computed at once.
pub(super) const SIDE: usize = 16;
/// Bytes of a row of a square.
const ROW: usize = SIDE * WORD;
/// Fewest steps along k that amortize the transposes of C.
const STEPS: usize = 48;

/// Columns of a product: the operands of a microkernel. Strides are in bytes.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    /// Words along k.
    steps: usize,
    /// Words along k in one box of B.
    run: usize,
    /// The first word of B of the first column.
    b: *const u8,
    /// Stride of B from box to box along k.
    b_box: usize,
    /// Packed rows of A: one row of [`SIDE`] words per step.
    a: *const u8,
    start: Start,
    /// The square of C.
    c: *mut u8,
    /// Stride of C from row to row.
    c_row: usize,
}

/// Initial values of the chains.
#[derive(Clone, Copy)]
enum Start {
    Zero,
    /// The values of the square of C.
    Square,
    /// One word for each column.
    Row(*const u8),
}

/// A microkernel of a transposed product.
///
/// # Safety
///
/// Everything described is inside buffers that may be read and, for C, written.
pub(super) type ColumnsFn = unsafe fn(&Columns);

/// Bytes from one column of B to the next, as words: a box has 32 bytes of each column, of elements of 4, 2 or 1 bytes.
pub(super) const LINES: [usize; 3] = [32, 64, 128];

/// Computes the chains of a square of C, from the initial values to C; columns of B are `LINE` bytes apart.
///
/// # Safety
///
/// The host has V's instructions, and everything described is inside buffers that may be read and, for C, written.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // Columns are numbers here, of places in memory too.
pub(super) unsafe fn columns<V: Vector, const LINE: usize>(o: &Columns) {
    const { assert!(V::LANES == SIDE) };
    const HALF: usize = SQUARE * WORD;
    let Aligned(square) = &mut Aligned(MaybeUninit::<[u8; SIDE * ROW]>::uninit());
    let local = square.as_mut_ptr().cast::<u8>();
    // SAFETY: the caller's; all of the square is written before it is read.
    unsafe {
        let mut sums = [V::zero(); SIDE];
        match o.start {
            Start::Zero => {}
            Start::Square => {
                V::transpose(o.c, o.c_row, local, ROW);
                V::transpose(o.c.add(HALF), o.c_row, local.add(SQUARE * ROW), ROW);
                for j in 0..SIDE {
                    sums[j] = V::load(local.add(j * ROW));
                }
            }
            Start::Row(row) => {
                for j in 0..SIDE {
                    sums[j] = V::splat(row.add(j * WORD));
                }
            }
        }
        let (mut of_box, mut a, mut rest) = (o.b, o.a, o.steps);
        while rest > 0 {
            let run = rest.min(o.run);
            let mut b = of_box;
            // Boxes are not contiguous, so that hardware does not prefetch the next one.
            for line in (0..SIDE * LINE).step_by(64) {
                prefetch::line(of_box.wrapping_add(o.b_box).wrapping_add(line));
            }
            for _ in 0..run {
                let left = V::load(a);
                for j in 0..SIDE {
                    sums[j] = sums[j].step(left, V::splat(b.add(j * LINE)));
                }
                (a, b) = (a.wrapping_add(ROW), b.wrapping_add(WORD));
            }
            rest -= run;
            of_box = of_box.wrapping_add(o.b_box);
        }
        for j in 0..SIDE {
            sums[j].finish().store(local.add(j * ROW));
        }
        V::transpose(local, ROW, o.c, o.c_row);
        V::transpose(local.add(HALF), ROW, o.c.add(SQUARE * o.c_row), o.c_row);
    }
}

impl Product<'_> {
    /// The microkernel of this product as a transposed one, if that is faster.
    pub(super) fn turned(&self) -> Option<ColumnsFn> {
        let width = if self.b.widen.is_some() { self.b.step.inside } else { WORD };
        let line = LINES.iter().position(|bytes| bytes / WORD * width == self.b.line.inside)?;
        let Product { a, b, c, .. } = self;
        let whole_columns = b.lines.is_multiple_of(SIDE) && b.line.unbroken(SIDE) && b.step.inside == width;
        let squares = c.step.inside == WORD && c.step.unbroken(SIDE) && c.line.side >= SIDE;
        let pays = a.lines == SIDE && a.steps >= STEPS;
        self.micro.columns.map(|columns| columns[line]).filter(|_| whole_columns && squares && pays)
    }

    /// Computes C by the microkernel that [`Product::turned`] chose. `check` has found all operands inside memory.
    pub(super) fn run_turned(&self, mem: &mut [u8], columns: ColumnsFn, mut buffers: [&mut Vec<u8>; 2]) {
        let rows = Packer {
            factor: self.a,
            first: &self.a.line.cursor(),
            width: SIDE,
            stride: ROW,
            padded: self.padded,
            micro: &self.micro,
        };
        let rows = rows.pack(mem, &mut buffers);
        let [_, words] = buffers;
        let (mut b, mut c) = (self.b.line.cursor(), self.c.step.cursor());
        for left in (0..self.b.lines).step_by(SIDE) {
            let at = b.place();
            let (first, b_box) = match self.b.widen {
                None => (self.b.pointer(mem.as_ptr()).wrapping_add(at), self.b.step.of_boxes),
                Some(widen) => self.widen_columns(mem, self.b.offset + at, widen, words),
            };
            let memory = mem.as_mut_ptr();
            let operands = Columns {
                steps: self.b.steps,
                run: self.b.step.side,
                b: first,
                b_box,
                a: rows,
                start: match self.init {
                    Init::Zero => Start::Zero,
                    Init::Accumulate => Start::Square,
                    Init::Row { offset } => Start::Row(memory.wrapping_add(offset + left * WORD)),
                },
                c: memory.wrapping_add(self.c.offset + c.place()),
                c_row: self.c.line.inside,
            };
            // SAFETY: the panel has a row for each step. The columns of B are in one box and in their buffer, as
            // `check` found; so are C, whose rows are in one box, and the row of initial values.
            unsafe { columns(&operands) }
            b.advance(SIDE);
            c.advance(SIDE);
        }
    }

    /// Widens the columns whose first element is at byte `at` into a buffer. Returns the first word and the stride from
    /// box to box.
    fn widen_columns(&self, mem: &[u8], at: usize, widen: Widen, words: &mut Vec<u8>) -> (*const u8, usize) {
        let (side, line) = (self.b.step.side.min(self.b.steps), self.b.line.inside);
        let of_boxes = SIDE * line / self.b.step.inside * WORD;
        let words = grown(words, self.b.steps.div_ceil(side) * of_boxes);
        let mut at = at;
        for (index, words) in words.chunks_exact_mut(of_boxes).enumerate() {
            let run = side.min(self.b.steps - index * side);
            widen(&mem[at..at + (SIDE - 1) * line + run * self.b.step.inside], words);
            at += self.b.step.of_boxes;
        }
        (words.as_ptr(), of_boxes)
    }
}
