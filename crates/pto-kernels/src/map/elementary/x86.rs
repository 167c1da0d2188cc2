//! Elementary functions of f32 with AVX-512, which keeps tables in registers and has an approximate reciprocal square
//! root; and the logarithm with AVX2.

use std::arch::x86_64::*;

use super::tables::{LOG, LOG_OF, RECIPROCAL};
use super::{BEFORE, EXPONENT_OFFSET, LN_2_SHORT, STEPS};

/// Values in a vector of f64.
const LANES: usize = 8;

/// A function of eight f64.
pub(super) trait Wide {
    /// # Safety
    ///
    /// The host has AVX-512 F and DQ.
    unsafe fn of(x: __m512d) -> __m512d;
}

/// [`log`](super::log).
pub(super) struct Log;
/// [`rsqrt`](super::rsqrt).
pub(super) struct Rsqrt;

/// Replaces each value by its function, 16 and then 8 at a time, and returns the remaining values, fewer than 8.
///
/// # Safety
///
/// The host has AVX-512 F and DQ.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
pub(super) unsafe fn all<W: Wide>(values: &mut [f32]) -> &mut [f32] {
    let (pairs, rest) = values.as_chunks_mut::<{ 2 * LANES }>();
    for pair in pairs {
        let at = pair.as_mut_ptr();
        // SAFETY: sixteen values are read, and then written, unaligned; the caller's promise. One load and one store of
        // full width: a load that spans narrower stores would stall.
        unsafe {
            let x = _mm512_loadu_ps(at);
            let low = of_eight::<W>(_mm512_castps512_ps256(x));
            let high = of_eight::<W>(_mm512_extractf32x8_ps::<1>(x));
            _mm512_storeu_ps(at, _mm512_insertf32x8::<1>(_mm512_castps256_ps512(low), high));
        }
    }
    let (halves, rest) = rest.as_chunks_mut::<LANES>();
    for half in halves {
        let at = half.as_mut_ptr();
        // SAFETY: as above, with eight.
        unsafe { _mm256_storeu_ps(at, of_eight::<W>(_mm256_loadu_ps(at))) };
    }
    rest
}

/// The function of eight values, rounded to f32.
///
/// # Safety
///
/// The host has AVX-512 F and DQ.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
unsafe fn of_eight<W: Wide>(x: __m256) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe { _mm512_cvtpd_ps(W::of(_mm512_cvtps_pd(x))) }
}

impl Wide for Log {
    /// `getexp` and `getmant` cover the special cases: the exponent of 0 is -infinity, that of infinity is infinite,
    /// and the significand of a negative number is NaN.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    unsafe fn of(x: __m512d) -> __m512d {
        let significand = _mm512_getmant_pd::<_MM_MANT_NORM_1_2, _MM_MANT_SIGN_NAN>(x);
        let index = _mm512_srli_epi64::<48>(_mm512_castpd_si512(significand));
        let one = _mm512_set1_pd(1.0);
        let r = _mm512_fmsub_pd(significand, look_up(&RECIPROCAL, index), one);
        let [c0, c1, c2, c3, c4, c5, c6] = LOG.map(|c| _mm512_set1_pd(c));
        let q = _mm512_fmadd_pd(_mm512_fmadd_pd(c6, r, c5), r, c4);
        let q = _mm512_fmadd_pd(_mm512_fmadd_pd(q, r, c3), r, c2);
        let q = _mm512_fmadd_pd(_mm512_fmadd_pd(q, r, c1), r, c0);
        let log_of = look_up(&LOG_OF, index);
        let base = _mm512_fmadd_pd(_mm512_getexp_pd(x), _mm512_set1_pd(LN_2_SHORT), log_of);
        _mm512_fmadd_pd(_mm512_fmadd_pd(q, r, one), r, base)
    }
}

impl Wide for Rsqrt {
    /// The approximation has a relative error of 2^-14 and is right for zeros, infinity and negative numbers; one step
    /// raises the error to the fourth power. No reciprocal square root of an f32 is nearer than 2^-51.7 of its value to
    /// a midpoint of two f32, so that any approximation of this accuracy gives the same result.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    unsafe fn of(x: __m512d) -> __m512d {
        const ZEROS_AND_INFINITIES: i32 = 0x02 | 0x04 | 0x08 | 0x10;
        let y = _mm512_rsqrt14_pd(x);
        let exact = _mm512_fpclass_pd_mask::<ZEROS_AND_INFINITIES>(y);
        let e = _mm512_fnmadd_pd(_mm512_mul_pd(x, y), y, _mm512_set1_pd(1.0));
        let series = _mm512_fmadd_pd(_mm512_set1_pd(0.3125), e, _mm512_set1_pd(0.375));
        let series = _mm512_fmadd_pd(series, e, _mm512_set1_pd(0.5));
        _mm512_mask3_fmadd_pd(_mm512_mul_pd(y, e), series, y, !exact)
    }
}

/// The table entries at the low four bits of each index.
#[inline]
#[target_feature(enable = "avx512f")]
fn look_up(table: &[f64; STEPS], index: __m512i) -> __m512d {
    // SAFETY: eight entries are read at a time, unaligned.
    let (low, high) =
        unsafe { (_mm512_loadu_pd(table.as_ptr()), _mm512_loadu_pd(table.as_ptr().add(LANES))) };
    _mm512_permutex2var_pd(low, index, high)
}

/// [`log`](super::log) of each value, with fused steps. Special cases by selection; the compiler would branch.
///
/// # Safety
///
/// The host has AVX2 and FMA.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn logs(values: &mut [f32; STEPS]) {
    let (zero, infinity) = (_mm256_setzero_ps(), _mm256_set1_ps(f32::INFINITY));
    let (nan, below_all) = (_mm256_set1_ps(f32::NAN), _mm256_set1_ps(f32::NEG_INFINITY));
    for eight in values.as_chunks_mut::<8>().0 {
        // SAFETY: eight values are read and written, unaligned, in vectors as wide as those of the callers.
        unsafe {
            let x = _mm256_loadu_ps(eight.as_ptr());
            let (low, high) = (_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x));
            let y = _mm256_set_m128(log_of_four(high), log_of_four(low));
            let y = _mm256_blendv_ps(y, infinity, _mm256_cmp_ps::<_CMP_EQ_OQ>(x, infinity));
            let y = _mm256_blendv_ps(y, below_all, _mm256_cmp_ps::<_CMP_EQ_OQ>(x, zero));
            let y = _mm256_blendv_ps(nan, y, _mm256_cmp_ps::<_CMP_GE_OQ>(x, zero));
            _mm256_storeu_ps(eight.as_mut_ptr(), y);
        }
    }
}

/// [`log_wide`](super::log_wide) of each lane, rounded to f32.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn log_of_four(x: __m128) -> __m128 {
    let splat = |value: f64| _mm256_set1_pd(value);
    let one = splat(1.0);
    let bits = _mm256_castpd_si256(_mm256_cvtps_pd(x));
    let behind = _mm256_or_si256(_mm256_srli_epi64::<52>(bits), _mm256_set1_epi64x(BEFORE as i64));
    let exponent = _mm256_sub_pd(_mm256_castsi256_pd(behind), splat(EXPONENT_OFFSET));
    let fraction = _mm256_and_si256(bits, _mm256_set1_epi64x((1 << 52) - 1));
    let significand = _mm256_or_pd(_mm256_castsi256_pd(fraction), one);
    let [reciprocal, log_of] = pairs(_mm256_srli_epi64::<48>(fraction));
    let r = _mm256_fmsub_pd(significand, reciprocal, one);
    let [c0, c1, c2, c3, c4, c5, c6] = LOG.map(splat);
    let q = _mm256_fmadd_pd(_mm256_fmadd_pd(c6, r, c5), r, c4);
    let q = _mm256_fmadd_pd(_mm256_fmadd_pd(q, r, c3), r, c2);
    let q = _mm256_fmadd_pd(_mm256_fmadd_pd(q, r, c1), r, c0);
    let base = _mm256_fmadd_pd(exponent, splat(LN_2_SHORT), log_of);
    _mm256_cvtpd_ps(_mm256_fmadd_pd(_mm256_fmadd_pd(q, r, one), r, base))
}

/// Reciprocals and their logarithms at four indices below [`STEPS`], with one load for each pair, since a gather is
/// slower.
#[inline]
#[target_feature(enable = "avx2")]
fn pairs(index: __m256i) -> [__m256d; 2] {
    static PAIRS: [[f64; 2]; STEPS] = {
        let mut pairs = [[0.0; 2]; STEPS];
        let mut step = 0;
        while step < STEPS {
            pairs[step] = [RECIPROCAL[step], LOG_OF[step]];
            step += 1;
        }
        pairs
    };
    let pair = |index: i64| {
        // SAFETY: reads a pair of the table, unaligned.
        unsafe { _mm_loadu_pd(PAIRS[index as usize % STEPS].as_ptr()) }
    };
    let (low, high) = (_mm256_castsi256_si128(index), _mm256_extracti128_si256::<1>(index));
    let [a, b] = [_mm_cvtsi128_si64(low), _mm_extract_epi64::<1>(low)].map(pair);
    let [c, d] = [_mm_cvtsi128_si64(high), _mm_extract_epi64::<1>(high)].map(pair);
    let (even, odd) = (_mm256_set_m128d(c, a), _mm256_set_m128d(d, b));
    [_mm256_unpacklo_pd(even, odd), _mm256_unpackhi_pd(even, odd)]
}
