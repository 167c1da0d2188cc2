//! Matrix multiplication C = init + A B with a prescribed order of operations.
//!
//! Each element of C is one chain: from its initial value, one step per k, ascending. Floats convert to f32 exactly and
//! a step is one fused multiply-add; integers wrap in i32. Loops vectorize over rows and columns of C, never over k, so
//! that vector width does not change the bits.
//!
//! A NaN in C is canonical (7fc00000). It is canonicalized once, at the end of the chain, with the result of doing so
//! at every step: a NaN stays a NaN to the end of its chain, and in any chain that accumulates onto it.

mod factor;
pub(crate) mod inner;
mod lines;
mod micro;
mod multiply;
mod pack;
mod scaled;
// Only x86-64 has vectors of sixteen words.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod turned;
mod vector;

use crate::layout::Placement;
use crate::number::{Bf16, F16, F32};
use crate::{Element, level};
use factor::{E4M3, E5M2, HiF8, Input, Rounded};
use lines::{Lines, WORD};
use micro::Micro;
use multiply::Product;
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
    /// Initial value of each chain.
    pub init: Init,
}

/// Initial value of an accumulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Init {
    /// +0.
    Zero,
    /// The value in C before the operation.
    Accumulate,
    /// A row of `n` consecutive elements in C's format, one per column.
    Row {
        /// Byte offset of the first element.
        offset: usize,
    },
}

/// Buffers for prepared factors. They grow to the largest factors and are reused.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// The factors as words, where their elements are not words in memory.
    a: Vec<u8>,
    b: Vec<u8>,
    /// A packed panel of B.
    panel: Vec<u8>,
    /// Gathered elements of a factor, not yet widened.
    gathered: Vec<u8>,
}

/// A multiplication kernel.
pub type MatMulFn = fn(&mut [u8], &MatMul, &mut Scratch);

/// The multiplication of factors in these formats; `None` for pairs without one.
///
/// Equal f32, f16 or bf16, or any two of E4M3, E5M2 and HiF8, give f32; any two of i8 and u8 give i32.
#[inline(never)] // Where a caller inlines it, the caller's crate compiles the loops again.
pub fn matmul(a: Element, b: Element) -> Option<MatMulFn> {
    use Element as E;
    Some(match (a, b) {
        (E::F32, E::F32) => product::<F32, F32>,
        (E::F16, E::F16) => product::<F16, F16>,
        (E::Bf16, E::Bf16) => product::<Bf16, Bf16>,
        (E::E4M3, E::E4M3) => product::<E4M3, E4M3>,
        (E::E4M3, E::E5M2) => product::<E4M3, E5M2>,
        (E::E4M3, E::HiF8) => product::<E4M3, HiF8>,
        (E::E5M2, E::E4M3) => product::<E5M2, E4M3>,
        (E::E5M2, E::E5M2) => product::<E5M2, E5M2>,
        (E::E5M2, E::HiF8) => product::<E5M2, HiF8>,
        (E::HiF8, E::E4M3) => product::<HiF8, E4M3>,
        (E::HiF8, E::E5M2) => product::<HiF8, E5M2>,
        (E::HiF8, E::HiF8) => product::<HiF8, HiF8>,
        (E::I8, E::I8) => product::<i8, i8>,
        (E::I8, E::U8) => product::<i8, u8>,
        (E::U8, E::I8) => product::<u8, i8>,
        (E::U8, E::U8) => product::<u8, u8>,
        _ => return None,
    })
}

fn product<A: Input, B: Input>(mem: &mut [u8], product: &MatMul, scratch: &mut Scratch) {
    let micro = if A::PER_WORD == 2 { micro::integers(level()) } else { micro::floats(level()) };
    product_by::<A, B>(micro, mem, product, scratch);
}

fn product_by<A: Input, B: Input>(micro: Micro, mem: &mut [u8], product: &MatMul, scratch: &mut Scratch) {
    let MatMul { m, k, n, .. } = *product;
    assert!(m > 0 && k > 0 && n > 0, "a product of nothing");
    let c = Lines::new(None, &product.c.widened(m, n), [m, n]);
    let Scratch { a, b, panel, gathered, .. } = scratch;
    let a = factor::words::<A>(mem, &product.a, [m, k], &c, a, gathered);
    let right = product.b.transposed();
    let b = factor::narrow::<B>(&right, [n, k], &c)
        .unwrap_or_else(|| factor::words::<B>(mem, &right, [n, k], &c, b, gathered));
    let padded = !k.is_multiple_of(A::PER_WORD);
    Product { a: &a, b: &b, c: &c, padded, init: product.init, micro }.run(mem, [panel, gathered]);
}

pub use pto_num::Tf32;

/// Rounds to a shorter mantissa. Infinities and NaN are kept.
pub fn round_tf32(rounding: Tf32, value: f32) -> f32 {
    match rounding {
        Tf32::Ten => shortened::<10, false>(value),
        Tf32::Eleven => shortened::<11, false>(value),
        Tf32::ElevenAway => shortened::<11, true>(value),
    }
}

/// The multiplication of f32 factors that are rounded first; sums stay f32.
#[inline(never)] // As `matmul`.
pub fn matmul_tf32(rounding: Tf32) -> MatMulFn {
    match rounding {
        Tf32::Ten => product::<Rounded<10, false>, Rounded<10, false>>,
        Tf32::Eleven => product::<Rounded<11, false>, Rounded<11, false>>,
        Tf32::ElevenAway => product::<Rounded<11, true>, Rounded<11, true>>,
    }
}

/// Rounds to `MANTISSA` bits of mantissa, to nearest, ties to even or away from zero.
#[inline(always)]
fn shortened<const MANTISSA: u32, const AWAY: bool>(value: f32) -> f32 {
    let dropped = 23 - MANTISSA;
    let bits = value.to_bits();
    let tie_up = if AWAY { 1 } else { bits >> dropped & 1 };
    let half = (1 << (dropped - 1)) - 1 + tie_up;
    let rounded = bits.wrapping_add(half) >> dropped << dropped;
    if value.is_finite() { f32::from_bits(rounded) } else { value }
}
