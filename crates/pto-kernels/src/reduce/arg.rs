//! Index of the maximum or minimum: the first of equal extremes, or the first NaN.

use super::{CHUNK, Limits, Reduce, ReduceOp, RowBody, Steps, bits_of};
use crate::Element;
use crate::dispatch::{Features, multiversion};
use crate::number::{Bf16, F16, F32, Number};

/// Finds an extreme of a row: buffer, byte offset of the first element, elements; returns its index and its bits.
///
/// A row of no elements gives index 0 and the reduction's identity.
pub type RowArgFn = fn(&[u8], usize, usize) -> (usize, u64);
/// Finds the extremes of columns: buffer, byte offset of the first element, bytes from row to row, rows. The slice has
/// one entry per column and receives row indices.
pub type ColumnArgFn = fn(&[u8], usize, usize, usize, &mut [u32]);

multiversion!(RowArgBody, select_row_arg, fn(mem: &[u8], src: usize, count: usize) -> (usize, u64));
multiversion!(
    ColumnArgBody,
    select_column_arg,
    fn(mem: &[u8], src: usize, row_stride: usize, rows: usize, found: &mut [u32])
);

impl<N: Number<Value: Limits>, const OP: usize> RowArgBody for Reduce<N, OP> {
    #[inline(always)]
    fn run<F: Features>(mem: &[u8], src: usize, count: usize) -> (usize, u64) {
        let mut extreme = 0;
        <Self as RowBody>::run::<F>(mem, src, 0, count, std::slice::from_mut(&mut extreme));
        let elements = mem[src..src + count * N::BYTES].chunks_exact(N::BYTES);
        let found = elements.map(|bytes| bits_of::<N>(N::read(bytes))).position(|bits| bits == extreme);
        (found.unwrap_or(0), extreme)
    }
}

impl<N: Number<Value: Limits>, const OP: usize> ColumnArgBody for Reduce<N, OP> {
    #[inline(always)]
    fn run<F: Features>(mem: &[u8], src: usize, row_stride: usize, rows: usize, found: &mut [u32]) {
        let op = ReduceOp::ALL[OP];
        found.fill(0);
        for (i, found) in found.chunks_mut(CHUNK).enumerate() {
            let mut best = [op.identity::<N::Value>(); CHUNK];
            for r in 0..rows {
                let at = src + r * row_stride + i * CHUNK * N::BYTES;
                let row = &mem[at..at + found.len() * N::BYTES];
                for ((found, best), bytes) in found.iter_mut().zip(&mut best).zip(row.chunks_exact(N::BYTES))
                {
                    let better = op.combine(*best, N::read(bytes));
                    // A value that changes the extreme is the new one: numbers replace smaller ones, a NaN replaces any
                    // number.
                    let beats = N::round(better) != N::round(*best);
                    *found = if beats { r as u32 } else { *found };
                    *best = better;
                }
            }
        }
    }
}

macro_rules! extremes {
    ($op:expr, $element:expr, $select:ident) => {{
        const MAX: usize = ReduceOp::Max as usize;
        const MIN: usize = ReduceOp::Min as usize;
        extremes!($op, $element, $select, MAX, MIN, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32,
            U64 u64, F16 F16, Bf16 Bf16, F32 F32)
    }};
    ($op:expr, $element:expr, $select:ident, $max:ident, $min:ident, $($name:ident $number:ty),*) => {
        match ($op, $element) {
            $((ReduceOp::Max, Element::$name) => Some($select::<Reduce<$number, $max>>()),
              (ReduceOp::Min, Element::$name) => Some($select::<Reduce<$number, $min>>()),)*
            _ => None,
        }
    };
}

/// The loop for the index and the bits of a row's maximum or minimum; `None` for sums, products and narrow floats.
pub fn row_arg(op: ReduceOp, element: Element) -> Option<RowArgFn> {
    extremes!(op, element, select_row_arg)
}

/// The loop for the row of each column's maximum or minimum; `None` for sums, products and narrow floats.
pub fn column_arg(op: ReduceOp, element: Element) -> Option<ColumnArgFn> {
    extremes!(op, element, select_column_arg)
}
