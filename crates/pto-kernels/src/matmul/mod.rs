//! Matrix multiplication C = init + A B with the exact order of operations that the design prescribes.
//!
//! Each element of C is one chain: from its initial value, one step per k, ascending. Floats convert to f32
//! exactly and a step is one fused multiply-add; integers wrap in i32. Loops vectorize over rows and columns of
//! C, never over k, so that exact bits and full speed are the same thing.
//!
//! A NaN in C is canonical (7fc00000). It is made so at the end of the chain, which nobody can tell from doing
//! it at every step: a NaN stays a NaN to the end of its chain, and of any chain that accumulates onto it.

mod micro;
mod pack;
mod scaled;

use crate::layout::Placement;
use crate::number::{Bf16, F16, F32};
use crate::{Element, level};
use micro::{Micro, TILE};
use pack::{E4M3, E5M2, HiF8, Input, Pairs, offsets};
pub use scaled::{GROUP, ScaledMatMulFn, Scales, matmul_scaled};

/// A multiplication of an `m` x `k` by a `k` x `n` matrix, each at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatMul {
    /// Rows of A and C.
    pub m: usize,
    /// Columns of A, rows of B.
    pub k: usize,
    /// Columns of B and C.
    pub n: usize,
    /// Left factor, m x k.
    pub a: Placement,
    /// Right factor, k x n.
    pub b: Placement,
    /// Result, m x n elements of 4 bytes: f32, or i32 for integer factors.
    pub c: Placement,
    /// What the chains start from.
    pub init: Init,
}

/// What an accumulation starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Init {
    /// +0.
    Zero,
    /// The value in C.
    Accumulate,
    /// A row of `n` consecutive elements in C's format, one per column.
    Row {
        /// Byte of the first.
        offset: usize,
    },
}

/// Buffers that a multiplication packs its factors into. They grow to the largest factors met and stay.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    bytes: Vec<u8>,
    wide: Vec<u8>,
    a: Vec<u32>,
    b: Vec<u32>,
    rows: Vec<usize>,
    cols: Vec<usize>,
}

/// A multiplication kernel.
pub type MatMulFn = fn(&mut [u8], &MatMul, &mut Scratch);

/// The multiplication of factors in these formats, or `None` where there is none.
///
/// Equal f32, f16 or bf16, or any two of E4M3, E5M2 and HiF8, give f32; any two of i8 and u8 give i32.
pub fn matmul(a: Element, b: Element) -> Option<MatMulFn> {
    use Element as E;
    Some(match (a, b) {
        (E::F32, E::F32) => floats::<F32, F32>,
        (E::F16, E::F16) => floats::<F16, F16>,
        (E::Bf16, E::Bf16) => floats::<Bf16, Bf16>,
        (E::E4M3, E::E4M3) => floats::<E4M3, E4M3>,
        (E::E4M3, E::E5M2) => floats::<E4M3, E5M2>,
        (E::E4M3, E::HiF8) => floats::<E4M3, HiF8>,
        (E::E5M2, E::E4M3) => floats::<E5M2, E4M3>,
        (E::E5M2, E::E5M2) => floats::<E5M2, E5M2>,
        (E::E5M2, E::HiF8) => floats::<E5M2, HiF8>,
        (E::HiF8, E::E4M3) => floats::<HiF8, E4M3>,
        (E::HiF8, E::E5M2) => floats::<HiF8, E5M2>,
        (E::HiF8, E::HiF8) => floats::<HiF8, HiF8>,
        (E::I8, E::I8) => integers::<i8, i8>,
        (E::I8, E::U8) => integers::<i8, u8>,
        (E::U8, E::I8) => integers::<u8, i8>,
        (E::U8, E::U8) => integers::<u8, u8>,
        _ => return None,
    })
}

fn floats<A: Input, B: Input>(mem: &mut [u8], product: &MatMul, scratch: &mut Scratch) {
    let micro = micro::floats(level());
    pack::rows::<A>(mem, &product.a, product.m, product.k, scratch);
    pack::panels::<B>(mem, &product.b, product.k, product.n, micro.lanes, scratch);
    multiply(mem, product, product.k, scratch, micro);
}

/// The multiplication of factors of f32 that are rounded to tf32 first, as [`tf32`] does; sums stay f32.
pub fn matmul_tf32() -> MatMulFn {
    |mem, product, scratch| {
        let micro = micro::floats(level());
        pack::rows::<F32>(mem, &product.a, product.m, product.k, scratch);
        pack::panels::<F32>(mem, &product.b, product.k, product.n, micro.lanes, scratch);
        let words = scratch.a.iter_mut().chain(&mut scratch.b);
        words.for_each(|word| *word = tf32(f32::from_bits(*word)).to_bits());
        multiply(mem, product, product.k, scratch, micro);
    }
}

/// The tf32 nearest to an f32, ties to even: 8 bits of exponent and 10 of mantissa. Infinities and NaN stay.
#[inline(always)]
pub fn tf32(value: f32) -> f32 {
    const DROPPED: u32 = 13;
    let bits = value.to_bits();
    let half = (1 << (DROPPED - 1)) - 1 + (bits >> DROPPED & 1);
    let rounded = bits.wrapping_add(half) >> DROPPED << DROPPED;
    if value.is_finite() { f32::from_bits(rounded) } else { value }
}

fn integers<A: Pairs, B: Pairs>(mem: &mut [u8], product: &MatMul, scratch: &mut Scratch) {
    let micro = micro::integers(level());
    pack::row_pairs::<A>(mem, &product.a, product.m, product.k, scratch);
    pack::panel_pairs::<B>(mem, &product.b, product.k, product.n, micro.lanes, scratch);
    multiply(mem, product, product.k.div_ceil(2), scratch, micro);
}

/// A tile of C that starts a cache line.
#[repr(align(64))]
struct Tile([u32; TILE]);

/// Runs over tiles of C with packed factors, whose common side is `steps` words.
fn multiply(mem: &mut [u8], product: &MatMul, steps: usize, scratch: &mut Scratch, micro: Micro) {
    let MatMul { m, n, init, .. } = *product;
    let c = product.c.widened(m, n);
    offsets(&mut scratch.rows, m, c.box_rows, c.row_of_boxes * 4, c.row * 4);
    offsets(&mut scratch.cols, n, c.box_cols, c.col_of_boxes * 4, c.col * 4);
    let chunk = contiguous_chunk(&c);
    let mut tile = Tile([0; TILE]);
    let tile = &mut tile.0;
    let panels = pack::aligned(&mut scratch.b, steps * n.next_multiple_of(micro.lanes));
    let mut panel = 0;
    for left in (0..n).step_by(2 * micro.lanes) {
        let width = (n - left).min(2 * micro.lanes);
        let vectors = width.div_ceil(micro.lanes);
        let stride = vectors * micro.lanes;
        let b = &panels[panel..panel + steps * stride];
        panel += steps * stride;
        let cols = &scratch.cols[left..left + width];
        let mut top = 0;
        while top < m {
            let height = micro.height(m - top);
            let rows = &scratch.rows[top..top + height];
            match init {
                Init::Zero => tile.fill(0),
                Init::Row { offset } => {
                    for row in tile.chunks_exact_mut(stride).take(height) {
                        read_run(&mem[offset + left * 4..offset + (left + width) * 4], row);
                    }
                }
                Init::Accumulate => {
                    for (&row, tile) in rows.iter().zip(tile.chunks_exact_mut(stride)) {
                        each_chunk(cols, chunk, |at, col, len| {
                            let start = c.offset + row + col;
                            match len {
                                16 => read_run(&mem[start..start + 64], &mut tile[at..at + 16]),
                                8 => read_run(&mem[start..start + 32], &mut tile[at..at + 8]),
                                _ => read_run(&mem[start..start + 4], &mut tile[at..at + 1]),
                            }
                        });
                    }
                }
            }
            (micro.run)(steps, &scratch.a[top * steps..(top + height) * steps], b, tile, height, vectors);
            for (&row, tile) in rows.iter().zip(tile.chunks_exact(stride)) {
                each_chunk(cols, chunk, |at, col, len| {
                    let start = c.offset + row + col;
                    match len {
                        16 => write_run(&mut mem[start..start + 64], &tile[at..at + 16]),
                        8 => write_run(&mut mem[start..start + 32], &tile[at..at + 8]),
                        _ => write_run(&mut mem[start..start + 4], &tile[at..at + 1]),
                    }
                });
            }
            top += height;
        }
    }
}

/// How many columns, starting at a multiple of as many, are contiguous: 16, 8 or 1.
fn contiguous_chunk(c: &Placement) -> usize {
    let fits = |&chunk: &usize| c.col == 1 && (c.box_cols == usize::MAX || c.box_cols.is_multiple_of(chunk));
    [16, 8].into_iter().find(fits).unwrap_or(1)
}

/// Calls `body(first column, its offset in bytes, columns)` for contiguous chunks, then for single columns.
#[inline(always)]
fn each_chunk(cols: &[usize], chunk: usize, mut body: impl FnMut(usize, usize, usize)) {
    let whole = cols.len() - cols.len() % chunk;
    for (i, run) in cols[..whole].chunks_exact(chunk).enumerate() {
        body(i * chunk, run[0], chunk);
    }
    for (i, &col) in cols[whole..].iter().enumerate() {
        body(whole + i, col, 1);
    }
}

#[inline(always)]
fn read_run(bytes: &[u8], words: &mut [u32]) {
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
}

#[inline(always)]
fn write_run(bytes: &mut [u8], words: &[u32]) {
    for (word, bytes) in words.iter().zip(bytes.as_chunks_mut::<4>().0) {
        *bytes = word.to_le_bytes();
    }
}

#[cfg(test)]
mod tests;
