//! Functions of many f32 with AVX-512: it looks tables up in registers, and has a guess of the reciprocal square root.

use std::arch::x86_64::*;

use super::tables::{LOG, LOG_OF, RECIPROCAL};
use super::{LN_2_SHORT, STEPS};

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

/// Replaces each value by its function, but for those after the last eight, which it returns.
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
        // SAFETY: sixteen values are read, and then written, unaligned. What is stored in halves and then read whole waits.
        unsafe {
            let (low, high) = (of_eight::<W>(at), of_eight::<W>(at.add(LANES)));
            _mm512_storeu_ps(at, _mm512_insertf32x8::<1>(_mm512_castps256_ps512(low), high));
        }
    }
    let (halves, rest) = rest.as_chunks_mut::<LANES>();
    for half in halves {
        let at = half.as_mut_ptr();
        // SAFETY: as above, with eight.
        unsafe { _mm256_storeu_ps(at, of_eight::<W>(at)) };
    }
    rest
}

/// The function of eight values, rounded.
///
/// # Safety
///
/// Eight values are read; the host has AVX-512 F and DQ.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
unsafe fn of_eight<W: Wide>(at: *const f32) -> __m256 {
    // SAFETY: the caller's promise.
    unsafe { _mm512_cvtpd_ps(W::of(_mm512_cvtps_pd(_mm256_loadu_ps(at)))) }
}

impl Wide for Log {
    /// What takes a number apart does the special cases, too: the exponent of 0 is -infinity, that of infinity is infinite,
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
    /// The guess is good to 2^-14 and right for zeros, infinity and what is below zero; one step takes its error to the
    /// fourth power. No reciprocal root of an f32 is nearer than 2^-51.7 of its value to what lies halfway between two f32:
    /// any guess as good gives the same.
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

/// The entries that the low four bits of each index say.
#[inline]
#[target_feature(enable = "avx512f")]
fn look_up(table: &[f64; STEPS], index: __m512i) -> __m512d {
    // SAFETY: eight entries are read at a time, unaligned.
    let (low, high) =
        unsafe { (_mm512_loadu_pd(table.as_ptr()), _mm512_loadu_pd(table.as_ptr().add(LANES))) };
    _mm512_permutex2var_pd(low, index, high)
}
