//! [`exp`](super::exp::exp) in x86-64 vectors: the operations of the scalar formula, with the table in registers.

use std::arch::x86_64::*;

use super::exp::{BOUNDS, LEAST_NORMAL, LN_2_HIGH, LN_2_LOW, LOG2_OF_E, MAGIC, SERIES};
use super::tables::{PARTS, POWERS};

/// Replaces values by their exponentials, 16 and then 8 at a time, and returns the remaining values, fewer than 8.
///
/// # Safety
///
/// The host has AVX-512 F and DQ.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
pub(super) unsafe fn sixteens(values: &mut [f32]) -> &mut [f32] {
    let (vectors, rest) = values.as_chunks_mut::<16>();
    for vector in vectors {
        let at = vector.as_mut_ptr();
        // SAFETY: sixteen values are read, and then written, unaligned.
        unsafe { _mm512_storeu_ps(at, of_sixteen(_mm512_loadu_ps(at))) };
    }
    let (halves, rest) = rest.as_chunks_mut::<8>();
    for half in halves {
        let at = half.as_mut_ptr();
        // SAFETY: eight values are read, and then written, unaligned.
        unsafe {
            let x = _mm512_zextps256_ps512(_mm256_loadu_ps(at));
            _mm256_storeu_ps(at, _mm512_castps512_ps256(of_sixteen(x)));
        }
    }
    rest
}

/// e^x of each lane. Subnormal results, if any, are computed as [`exp`](super::exp::exp) does and masked out of the
/// scaling, which would be slow for them.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn of_sixteen(x: __m512) -> __m512 {
    let splat = |value: f32| _mm512_set1_ps(value);
    // If an operand is NaN, these return the second.
    let within = _mm512_min_ps(splat(BOUNDS[1]), _mm512_max_ps(splat(BOUNDS[0]), x));
    let shifted = _mm512_fmadd_ps(within, splat(LOG2_OF_E), splat(MAGIC));
    let n = _mm512_sub_ps(shifted, splat(MAGIC));
    let r = _mm512_fmadd_ps(n, splat(-LN_2_HIGH), within);
    let [power, lacking] = POWERS.map(|powers| {
        // SAFETY: reads the whole table in halves, unaligned.
        let halves =
            unsafe { [_mm512_loadu_ps(powers.as_ptr()), _mm512_loadu_ps(powers.as_ptr().add(PARTS / 2))] };
        _mm512_permutex2var_ps(halves[0], _mm512_castps_si512(shifted), halves[1])
    });
    let series = _mm512_fmadd_ps(r, splat(SERIES[1]), splat(SERIES[0]));
    let missing = _mm512_fmadd_ps(n, splat(-LN_2_LOW), lacking);
    let small = _mm512_fmadd_ps(r, _mm512_fmadd_ps(r, series, missing), missing);
    let more = _mm512_fmadd_ps(power, r, _mm512_mul_ps(power, small));
    let below = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(within, splat(LEAST_NORMAL));
    // `scalef` multiplies by 2 to the power of floor(n).
    let sum = _mm512_add_ps(power, more);
    if below == 0 {
        return _mm512_scalef_ps(sum, n);
    }
    let k = _mm512_srai_epi32::<{ PARTS.ilog2() }>(_mm512_sub_epi32(
        _mm512_castps_si512(shifted),
        bits_of(MAGIC),
    ));
    let grid = _mm512_slli_epi32::<23>(_mm512_sub_epi32(_mm512_set1_epi32(1), k));
    let high = _mm512_add_ps(_mm512_castsi512_ps(grid), power);
    let lost = _mm512_sub_ps(power, _mm512_sub_ps(high, _mm512_castsi512_ps(grid)));
    let places = _mm512_castps_si512(_mm512_add_ps(high, _mm512_add_ps(lost, more)));
    let small = _mm512_castsi512_ps(_mm512_sub_epi32(places, grid));
    _mm512_mask_scalef_ps(small, !below, sum, n)
}

/// The bits of a value in each lane.
#[inline]
#[target_feature(enable = "avx512f")]
fn bits_of(value: f32) -> __m512i {
    _mm512_castps_si512(_mm512_set1_ps(value))
}

/// Replaces values by their exponentials, 8 at a time, and returns the remaining values, fewer than 8.
///
/// # Safety
///
/// The host has AVX2 and FMA.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn eights(values: &mut [f32]) -> &mut [f32] {
    let (vectors, rest) = values.as_chunks_mut::<8>();
    for vector in vectors {
        let at = vector.as_mut_ptr();
        // SAFETY: eight values are read, and then written, unaligned.
        unsafe { _mm256_storeu_ps(at, of_eight(_mm256_loadu_ps(at))) };
    }
    rest
}

/// e^x of each lane, by the steps of [`of_sixteen`].
#[inline]
#[target_feature(enable = "avx2,fma")]
fn of_eight(x: __m256) -> __m256 {
    let splat = |value: f32| _mm256_set1_ps(value);
    let within = _mm256_min_ps(splat(BOUNDS[1]), _mm256_max_ps(splat(BOUNDS[0]), x));
    let shifted = _mm256_fmadd_ps(within, splat(LOG2_OF_E), splat(MAGIC));
    let n = _mm256_sub_ps(shifted, splat(MAGIC));
    let r = _mm256_fmadd_ps(n, splat(-LN_2_HIGH), within);
    let index = _mm256_castps_si256(shifted);
    static QUARTERS: [[[u32; 8]; 4]; 2] = [differences(&POWERS[0]), differences(&POWERS[1])];
    let (power, lacking) = (look_up(&QUARTERS[0], index), look_up(&QUARTERS[1], index));
    let series = _mm256_fmadd_ps(r, splat(SERIES[1]), splat(SERIES[0]));
    let missing = _mm256_fmadd_ps(n, splat(-LN_2_LOW), lacking);
    let small = _mm256_fmadd_ps(r, _mm256_fmadd_ps(r, series, missing), missing);
    let more = _mm256_fmadd_ps(power, r, _mm256_mul_ps(power, small));
    let sum = _mm256_add_ps(power, more);
    let below = _mm256_cmp_ps::<_CMP_LT_OQ>(within, splat(LEAST_NORMAL));
    let bits_of = |value: f32| _mm256_castps_si256(splat(value));
    let k = _mm256_srai_epi32::<{ PARTS.ilog2() as i32 }>(_mm256_sub_epi32(index, bits_of(MAGIC)));
    // Times 2^k in two steps, of which the first is exact; valid only where the result is normal.
    let scaled = |k: __m256i| {
        let half = _mm256_srai_epi32::<1>(k);
        let [first, second] = [half, _mm256_sub_epi32(k, half)].map(|k| {
            let biased = _mm256_add_epi32(k, _mm256_set1_epi32(127));
            _mm256_castsi256_ps(_mm256_slli_epi32::<23>(biased))
        });
        _mm256_mul_ps(_mm256_mul_ps(sum, first), second)
    };
    if _mm256_movemask_ps(below) == 0 {
        return scaled(k);
    }
    let grid = _mm256_slli_epi32::<23>(_mm256_sub_epi32(_mm256_set1_epi32(1), k));
    let high = _mm256_add_ps(_mm256_castsi256_ps(grid), power);
    let lost = _mm256_sub_ps(power, _mm256_sub_ps(high, _mm256_castsi256_ps(grid)));
    let places = _mm256_castps_si256(_mm256_add_ps(high, _mm256_add_ps(lost, more)));
    let small = _mm256_castsi256_ps(_mm256_sub_epi32(places, grid));
    let normal = scaled(_mm256_andnot_si256(_mm256_castps_si256(below), k));
    _mm256_blendv_ps(normal, small, below)
}

/// The table entries at the low five bits of each index: three of the bits permute the quarters of the table, the other
/// two select among these by XOR of differences, since a blend is three operations on some hosts.
#[inline]
#[target_feature(enable = "avx2")]
fn look_up(table: &[[u32; 8]; 4], index: __m256i) -> __m256 {
    let [first, second, third, fourth] = [0, 1, 2, 3].map(|at: usize| {
        // SAFETY: eight entries of the table are read, unaligned.
        let entries = unsafe { _mm256_loadu_si256(table[at].as_ptr().cast()) };
        _mm256_permutevar8x32_epi32(entries, index)
    });
    let odd = _mm256_srai_epi32::<31>(_mm256_slli_epi32::<28>(index));
    let high = _mm256_srai_epi32::<31>(_mm256_slli_epi32::<27>(index));
    let low = _mm256_xor_si256(first, _mm256_and_si256(odd, second));
    let more = _mm256_xor_si256(third, _mm256_and_si256(odd, fourth));
    _mm256_castsi256_ps(_mm256_xor_si256(low, _mm256_and_si256(high, more)))
}

/// XOR differences of the quarters a, b, c, d of a table: a, a ^ b, a ^ c, a ^ b ^ c ^ d.
const fn differences(table: &[f32; PARTS]) -> [[u32; 8]; 4] {
    let mut all = [[0; 8]; 4];
    let mut i = 0;
    while i < 8 {
        let [a, b, c, d] =
            [table[i].to_bits(), table[i + 8].to_bits(), table[i + 16].to_bits(), table[i + 24].to_bits()];
        all[0][i] = a;
        all[1][i] = a ^ b;
        all[2][i] = a ^ c;
        all[3][i] = a ^ b ^ c ^ d;
        i += 1;
    }
    all
}
