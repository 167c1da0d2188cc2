//! Products of as many rows as a vector has words, turned about: vectors go down the rows of C.
//!
//! A word of a panel of B is used once for each row, so that for few rows packing it takes as long as multiplying. Of
//! C' = B' A' it is the few rows of A that are packed; B is read where it lies, each word for all lanes, and squares of C
//! are transposed on their way in and out. The chains are the same.

use std::mem::MaybeUninit;

use super::Init;
use super::factor::grown;
use super::lines::{WORD, Widen};
use super::multiply::Product;
use super::pack::Packer;
use super::vector::{SQUARE, Vector};
use crate::aligned::Aligned;
use crate::prefetch;

/// Words of a vector, and columns that are computed at once.
pub(super) const SIDE: usize = 16;
/// Bytes of a row of a square.
const ROW: usize = SIDE * WORD;
/// Steps that are worth transposing squares of C for.
const STEPS: usize = 48;

/// Columns of a product: what a microkernel reads and writes. Strides are in bytes.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    /// Words along k, in all and in one box of B.
    steps: usize,
    run: usize,
    /// The first word of B of the first column, and from box to box.
    b: *const u8,
    b_box: usize,
    /// Rows of A, packed: one of [`SIDE`] words for each step.
    a: *const u8,
    start: Start,
    /// The square of C, and from a row to the next.
    c: *mut u8,
    c_row: usize,
}

/// What the chains start from.
#[derive(Clone, Copy)]
enum Start {
    Zero,
    /// The square of C.
    Square,
    /// A word for each column.
    Row(*const u8),
}

/// The microkernels of a level.
///
/// # Safety
///
/// All that is described is inside buffers that may be read, or for C written.
pub(super) type ColumnsFn = unsafe fn(&Columns);

/// Bytes from a column of B to the next, as words: a box has 32 bytes of each column, of elements of 4, 2 or 1.
pub(super) const LINES: [usize; 3] = [32, 64, 128];

/// Chains of a square of C, from where they start to where they go; columns of B are `LINE` bytes apart.
///
/// # Safety
///
/// The host has V's instructions, and all that is described is inside buffers that may be read, or for C written.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // Columns are numbers here, of places in memory too.
pub(super) unsafe fn columns<V: Vector, const LINE: usize>(o: &Columns) {
    const { assert!(V::LANES == SIDE) };
    const HALF: usize = SQUARE * WORD;
    let Aligned(square) = &mut Aligned(MaybeUninit::<[u8; SIDE * ROW]>::uninit());
    let local = square.as_mut_ptr().cast::<u8>();
    // SAFETY: the caller's; of the square, what is read was written before.
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
            // The next box does not follow this one, which is why the hardware does not foresee it.
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
    /// The microkernel of this product turned about, if that is faster.
    pub(super) fn turned(&self) -> Option<ColumnsFn> {
        let width = if self.b.widen.is_some() { self.b.step.inside } else { WORD };
        let line = LINES.iter().position(|bytes| bytes / WORD * width == self.b.line.inside)?;
        let Product { a, b, c, .. } = self;
        let whole_columns = b.lines.is_multiple_of(SIDE) && b.line.unbroken(SIDE) && b.step.inside == width;
        let squares = c.step.inside == WORD && c.step.unbroken(SIDE) && c.line.side >= SIDE;
        let pays = a.lines == SIDE && a.steps >= STEPS;
        self.micro.columns.map(|columns| columns[line]).filter(|_| whole_columns && squares && pays)
    }

    /// Computes C by the microkernel of [`Product::turned`]. All that is described was found to be in memory.
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
            // SAFETY: the panel has a row for each step. The columns of B are in one box, and were found to be in their buffer,
            // as was C, whose rows are in one box, and the row.
            unsafe { columns(&operands) }
            b.advance(SIDE);
            c.advance(SIDE);
        }
    }

    /// Words of the columns whose first element is at byte `at`, in a buffer: where they start, and from box to box.
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
