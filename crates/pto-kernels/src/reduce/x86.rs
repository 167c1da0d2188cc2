//! Reductions of rows of f32 in vectors that are named one by one: left to itself, the compiler takes the sixteen lanes
//! apart and puts them together again at every step.

use super::{LANES, ReduceOp};
use crate::number::canonical_bits;
use std::arch::x86_64::*;

/// Rows side by side, as in the portable path.
const ROWS: usize = 4;

/// Lanes of a vector: a row has two of them.
const HALF: usize = LANES / 2;

/// The reduction of each row of `count` f32 from byte `src` on, `row_stride` bytes apart.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rows<const OP: usize>(
    mem: &[u8],
    src: usize,
    row_stride: usize,
    count: usize,
    results: &mut [u64],
) {
    let (groups, rest) = results.as_chunks_mut::<ROWS>();
    let done = groups.len() * ROWS;
    for (i, results) in groups.iter_mut().enumerate() {
        *results = group::<OP, ROWS>(mem, src + i * ROWS * row_stride, row_stride, count);
    }
    for (i, result) in rest.iter_mut().enumerate() {
        [*result] = group::<OP, 1>(mem, src + (done + i) * row_stride, row_stride, count);
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn group<const OP: usize, const R: usize>(
    mem: &[u8],
    src: usize,
    row_stride: usize,
    count: usize,
) -> [u64; R] {
    let identity = ReduceOp::ALL[OP].identity::<f32>();
    let zero = _mm256_setzero_ps();
    let mut lanes = [Lanes { values: [_mm256_set1_ps(identity); 2], nan: zero }; R];
    let rows: [&[u8]; R] =
        std::array::from_fn(|r| &mem[src + r * row_stride..src + r * row_stride + count * 4]);
    let (whole, tail) = (count / LANES, count % LANES);
    for chunk in 0..whole {
        for r in 0..R {
            let bytes = &rows[r][chunk * LANES * 4..(chunk + 1) * LANES * 4];
            // SAFETY: 64 bytes, as the slice has.
            lanes[r] = unsafe { lanes[r].and::<OP>(bytes.as_ptr().cast()) };
        }
    }
    if tail > 0 {
        for r in 0..R {
            // The identity changes no lane: none is ever -0 in a sum, which starts from +0.
            let mut last = [identity; LANES];
            for (value, bytes) in last.iter_mut().zip(rows[r][whole * LANES * 4..].as_chunks::<4>().0) {
                *value = f32::from_le_bytes(*bytes);
            }
            // SAFETY: sixteen words.
            lanes[r] = unsafe { lanes[r].and::<OP>(last.as_ptr()) };
        }
    }
    let mut results = [0; R];
    for r in 0..R {
        let value = lanes[r].folded::<OP>();
        let value = if is_ordered(OP) && value == 0.0 { extreme_zero(OP, rows[r]) } else { value };
        results[r] = u64::from(canonical_bits(value));
    }
    results
}

/// Whether an operation takes one of its operands.
const fn is_ordered(op: usize) -> bool {
    op == ReduceOp::Max as usize || op == ReduceOp::Min as usize
}

/// The zero that is the extreme of a row whose extreme is a zero: the instructions for it do not tell +0 from -0.
#[cold]
fn extreme_zero(op: usize, row: &[u8]) -> f32 {
    let winner = if op == ReduceOp::Max as usize { 0.0f32 } else { -0.0 };
    let has_winner = row.as_chunks::<4>().0.contains(&winner.to_le_bytes());
    if has_winner { winner } else { -winner }
}

/// Sixteen lanes of a row in progress.
#[derive(Clone, Copy)]
struct Lanes {
    values: [__m256; 2],
    /// For a maximum or minimum, bits where a NaN has been: it wins, but the instructions do not keep it.
    nan: __m256,
}

impl Lanes {
    /// With sixteen more elements.
    ///
    /// # Safety
    ///
    /// `chunk` is valid for reads of 64 bytes.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn and<const OP: usize>(self, chunk: *const f32) -> Lanes {
        // SAFETY: the caller's promise; the loads are unaligned ones.
        let (a, b) = unsafe { (_mm256_loadu_ps(chunk), _mm256_loadu_ps(chunk.add(HALF))) };
        let [low, high] = self.values;
        // One comparison finds a NaN in either.
        let found = if is_ordered(OP) { _mm256_cmp_ps::<_CMP_UNORD_Q>(a, b) } else { a };
        let nan = if is_ordered(OP) { _mm256_or_ps(self.nan, found) } else { self.nan };
        Lanes { values: [combined::<OP>(low, a), combined::<OP>(high, b)], nan }
    }

    /// All lanes in one: 8 + 8, 4 + 4, 2 + 2, 1 + 1.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn folded<const OP: usize>(self) -> f32 {
        let eight = combined::<OP>(self.values[0], self.values[1]);
        let four = combined::<OP>(eight, _mm256_permute2f128_ps::<1>(eight, eight));
        let two = combined::<OP>(four, _mm256_permute_ps::<0b01_00_11_10>(four));
        let one = combined::<OP>(two, _mm256_permute_ps::<0b10_11_00_01>(two));
        if _mm256_movemask_ps(self.nan) != 0 { f32::NAN } else { _mm256_cvtss_f32(one) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn combined<const OP: usize>(a: __m256, b: __m256) -> __m256 {
    match ReduceOp::ALL[OP] {
        ReduceOp::Sum => _mm256_add_ps(a, b),
        ReduceOp::Prod => _mm256_mul_ps(a, b),
        ReduceOp::Max => _mm256_max_ps(a, b),
        ReduceOp::Min => _mm256_min_ps(a, b),
    }
}
