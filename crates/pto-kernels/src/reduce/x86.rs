//! Reductions of rows of f32 with AVX intrinsics: the compiler's own vector code splits and rejoins the sixteen lanes
//! at every step.

use super::Steps;
use super::{LANES, ReduceOp};
use crate::number::canonical_bits;
use std::arch::x86_64::*;

/// Rows whose final folds are combined.
const ROWS: usize = 8;

/// Lanes of a vector: a row has two of them.
const HALF: usize = LANES / 2;

/// Declares the loop of a level over rows of `count` f32 from byte `src` on, `row_stride` bytes apart. `$lanes`
/// computes the sixteen lanes of `R` rows.
macro_rules! rows {
    ($(#[$doc:meta])* $name:ident, $features:literal, $lanes:ident) => {
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = $features)]
        pub(super) fn $name<const OP: usize>(
            mem: &[u8],
            src: usize,
            row_stride: usize,
            count: usize,
            results: &mut [u64],
        ) {
            let (groups, rest) = results.as_chunks_mut::<ROWS>();
            let done = groups.len() * ROWS;
            for (i, results) in groups.iter_mut().enumerate() {
                let first = src + i * ROWS * row_stride;
                // Each row is one dependency chain, so that several rows overlap: all [`ROWS`] in a sum, half of them
                // in a maximum, which needs more vectors per row.
                let lanes = if is_ordered(OP) {
                    let half = first + ROWS / 2 * row_stride;
                    let [a, b, c, d] = $lanes::<OP, { ROWS / 2 }>(mem, first, row_stride, count);
                    let [e, f, g, h] = $lanes::<OP, { ROWS / 2 }>(mem, half, row_stride, count);
                    [a, b, c, d, e, f, g, h]
                } else {
                    $lanes::<OP, ROWS>(mem, first, row_stride, count)
                };
                let values = folded_together::<OP>(&lanes);
                *results = canonical_together(values);
                if is_ordered(OP) && any_special(values, &lanes) {
                    for (r, (result, lanes)) in results.iter_mut().zip(&lanes).enumerate() {
                        let row = first + r * row_stride;
                        let value = f32::from_bits(*result as u32);
                        *result = finished::<OP>(value, lanes.nan, &mem[row..row + count * 4]);
                    }
                }
            }
            for (i, result) in rest.iter_mut().enumerate() {
                let row = src + (done + i) * row_stride;
                let [lanes] = $lanes::<OP, 1>(mem, row, row_stride, count);
                *result = finished::<OP>(lanes.folded::<OP>(), lanes.nan, &mem[row..row + count * 4]);
            }
        }
    };
}

rows!(
    /// The reduction of each row.
    rows, "avx2", lanes
);
rows!(
    /// The sum or product of each row, sixteen lanes in one vector.
    rows_wide, "avx2,avx512f,avx512dq", sums
);

/// [`lanes`] for a sum or a product, with 512-bit vectors.
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512dq")]
fn sums<const OP: usize, const R: usize>(
    mem: &[u8],
    src: usize,
    row_stride: usize,
    count: usize,
) -> [Lanes; R] {
    let combined =
        |a, b| if OP == ReduceOp::Sum as usize { _mm512_add_ps(a, b) } else { _mm512_mul_ps(a, b) };
    let identity = _mm512_set1_ps(ReduceOp::ALL[OP].identity::<f32>());
    let mut sums = [identity; R];
    let (whole, tail) = (count / LANES, count % LANES);
    let mem = &mem[src..src + (R - 1) * row_stride + count * 4];
    for chunk in 0..whole {
        for (r, sum) in sums.iter_mut().enumerate() {
            let at = r * row_stride + chunk * LANES * 4;
            debug_assert!(at + LANES * 4 <= mem.len());
            // SAFETY: as in `lanes`: the chunk ends before the last row does, where the slice ends.
            *sum = combined(*sum, unsafe { _mm512_loadu_ps(mem.as_ptr().add(at).cast()) });
        }
    }
    if tail > 0 {
        for (r, sum) in sums.iter_mut().enumerate() {
            let at = r * row_stride + whole * LANES * 4;
            debug_assert!(at + tail * 4 <= mem.len());
            // SAFETY: the masked load reads `tail` words, the last of the row.
            let last =
                unsafe { _mm512_mask_loadu_ps(identity, (1 << tail) - 1, mem.as_ptr().add(at).cast()) };
            *sum = combined(*sum, last);
        }
    }
    sums.map(|sum| Lanes {
        values: [_mm512_castps512_ps256(sum), _mm512_extractf32x8_ps::<1>(sum)],
        nan: _mm256_setzero_ps(),
    })
}

/// The sixteen lanes of each of `R` rows.
#[inline]
#[target_feature(enable = "avx2")]
fn lanes<const OP: usize, const R: usize>(
    mem: &[u8],
    src: usize,
    row_stride: usize,
    count: usize,
) -> [Lanes; R] {
    let identity = ReduceOp::ALL[OP].identity::<f32>();
    let mut lanes = [Lanes { values: [_mm256_set1_ps(identity); 2], nan: _mm256_setzero_ps() }; R];
    let (whole, tail) = (count / LANES, count % LANES);
    let mem = &mem[src..src + (R - 1) * row_stride + count * 4];
    for chunk in 0..whole {
        for (r, lanes) in lanes.iter_mut().enumerate() {
            let at = r * row_stride + chunk * LANES * 4;
            debug_assert!(at + LANES * 4 <= mem.len());
            // SAFETY: `r` is less than `R`, and the chunk ends within `count` elements: so it ends at or before the end
            // of the last row, the end of the slice.
            *lanes = unsafe { lanes.and::<OP>(mem.as_ptr().add(at).cast()) };
        }
    }
    if tail > 0 {
        for (r, lanes) in lanes.iter_mut().enumerate() {
            // Padding with the identity changes no lane: no lane of a sum is -0, since sums start from +0.
            let mut last = [identity; LANES];
            let at = r * row_stride + whole * LANES * 4;
            for (value, bytes) in last.iter_mut().zip(mem[at..at + tail * 4].as_chunks::<4>().0) {
                *value = f32::from_le_bytes(*bytes);
            }
            // SAFETY: `last` has sixteen words.
            *lanes = unsafe { lanes.and::<OP>(last.as_ptr()) };
        }
    }
    lanes
}

/// The bits of the result of a row.
#[inline]
#[target_feature(enable = "avx2")]
fn finished<const OP: usize>(value: f32, nan: __m256, row: &[u8]) -> u64 {
    if is_ordered(OP) && _mm256_movemask_ps(nan) != 0 {
        return u64::from(canonical_bits(f32::NAN));
    }
    let value = if is_ordered(OP) && value == 0.0 { extreme_zero(OP, row) } else { value };
    u64::from(canonical_bits(value))
}

/// Folds the lanes of each row: 8 + 8, then 4 + 4 of two rows at a time, 2 + 2 of four, and 1 + 1 of all.
#[inline]
#[target_feature(enable = "avx2")]
fn folded_together<const OP: usize>(lanes: &[Lanes; ROWS]) -> __m256 {
    let eight = |at: usize| combined::<OP>(lanes[at].values[0], lanes[at].values[1]);
    let four = |at: usize| {
        let (a, b) = (eight(at), eight(at + 1));
        let (low, high) = (_mm256_permute2f128_ps::<0x20>(a, b), _mm256_permute2f128_ps::<0x31>(a, b));
        combined::<OP>(low, high)
    };
    let two = |a: __m256, b: __m256| {
        let (low, high) =
            (_mm256_shuffle_ps::<0b01_00_01_00>(a, b), _mm256_shuffle_ps::<0b11_10_11_10>(a, b));
        combined::<OP>(low, high)
    };
    let (a, b) = (two(four(0), four(2)), two(four(4), four(6)));
    let (even, odd) = (_mm256_shuffle_ps::<0b10_00_10_00>(a, b), _mm256_shuffle_ps::<0b11_01_11_01>(a, b));
    // The lanes are rows 0, 2, 4, 6, 1, 3, 5, 7; restores the order.
    _mm256_permutevar8x32_ps(combined::<OP>(even, odd), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7))
}

/// The bits of eight results; NaN is canonical.
#[inline]
#[target_feature(enable = "avx2")]
fn canonical_together(values: __m256) -> [u64; ROWS] {
    let nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(values, values);
    let bits = _mm256_castps_si256(_mm256_blendv_ps(values, _mm256_set1_ps(f32::NAN), nan));
    let mut results = [0; ROWS];
    let (low, high) = results.split_at_mut(ROWS / 2);
    // SAFETY: four words of 64 bits each; unaligned stores.
    unsafe {
        _mm256_storeu_si256(low.as_mut_ptr().cast(), _mm256_cvtepu32_epi64(_mm256_castsi256_si128(bits)));
        let upper = _mm256_cvtepu32_epi64(_mm256_extracti128_si256::<1>(bits));
        _mm256_storeu_si256(high.as_mut_ptr().cast(), upper);
    }
    results
}

/// Whether an extreme is a zero, or a row has a NaN: cases that the vector instructions do not handle.
#[inline]
#[target_feature(enable = "avx2")]
fn any_special(values: __m256, lanes: &[Lanes; ROWS]) -> bool {
    let zero = _mm256_cmp_ps::<_CMP_EQ_OQ>(values, _mm256_setzero_ps());
    _mm256_movemask_ps(lanes.iter().fold(zero, |all, lanes| _mm256_or_ps(all, lanes.nan))) != 0
}

/// Whether an operation is a maximum or a minimum.
pub(super) const fn is_ordered(op: usize) -> bool {
    op == ReduceOp::Max as usize || op == ReduceOp::Min as usize
}

/// The sign of an extreme that is zero: the instructions do not distinguish +0 and -0.
#[cold]
fn extreme_zero(op: usize, row: &[u8]) -> f32 {
    let winner = if op == ReduceOp::Max as usize { 0.0f32 } else { -0.0 };
    let has_winner = row.as_chunks::<4>().0.contains(&winner.to_le_bytes());
    if has_winner { winner } else { -winner }
}

/// Sixteen partial results of a row.
#[derive(Clone, Copy)]
struct Lanes {
    values: [__m256; 2],
    /// For a maximum or minimum, nonzero in lanes that had a NaN, which wins but is not kept by the instructions.
    nan: __m256,
}

impl Lanes {
    /// Combines the lanes with sixteen more elements.
    ///
    /// # Safety
    ///
    /// `chunk` is valid for reads of 64 bytes.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn and<const OP: usize>(self, chunk: *const f32) -> Lanes {
        // SAFETY: the caller's promise; the loads are unaligned.
        let (a, b) = unsafe { (_mm256_loadu_ps(chunk), _mm256_loadu_ps(chunk.add(HALF))) };
        let [low, high] = self.values;
        // The unordered compare of a and b finds a NaN in either.
        let found = if is_ordered(OP) { _mm256_cmp_ps::<_CMP_UNORD_Q>(a, b) } else { a };
        let nan = if is_ordered(OP) { _mm256_or_ps(self.nan, found) } else { self.nan };
        Lanes { values: [combined::<OP>(low, a), combined::<OP>(high, b)], nan }
    }

    /// Folds all lanes: 8 + 8, 4 + 4, 2 + 2, 1 + 1.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn folded<const OP: usize>(self) -> f32 {
        let eight = combined::<OP>(self.values[0], self.values[1]);
        let four = combined::<OP>(eight, _mm256_permute2f128_ps::<1>(eight, eight));
        let two = combined::<OP>(four, _mm256_permute_ps::<0b01_00_11_10>(four));
        _mm256_cvtss_f32(combined::<OP>(two, _mm256_permute_ps::<0b10_11_00_01>(two)))
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
