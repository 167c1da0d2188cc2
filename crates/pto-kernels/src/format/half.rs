//! Bulk conversion of the 16-bit floats to and from f32: at the vector levels by loops over the scalar conversions of
//! `pto-num` or by intrinsics; at the portable level by the crate `half`.

use crate::dispatch::Features;
use ::half::slice::HalfFloatSliceExt;
use pto_num::{bf16_from_f32, bf16_to_f32, f16_from_f32, f16_to_f32};

/// Elements widened at once; twice as many are narrowed at once.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const LANES: usize = 8;

#[cfg(target_arch = "aarch64")]
use neon as native;
#[cfg(target_arch = "x86_64")]
use x86 as native;

/// Conversions of a format by the crate `half`, up to the shorter of the two sides; NaN becomes that of
/// [`f16_from_f32`] and [`bf16_from_f32`].
macro_rules! by_crate {
    ($widen:ident, $narrow:ident, $half:ty, $nan:literal) => {
        #[inline(never)]
        fn $widen(bytes: &[u8], values: &mut [f32]) {
            let mut halves = [<$half>::ZERO; CHUNK];
            for (bytes, values) in bytes.as_chunks::<2>().0.chunks(CHUNK).zip(values.chunks_mut(CHUNK)) {
                let count = bytes.len().min(values.len());
                for (half, bytes) in halves.iter_mut().zip(bytes) {
                    *half = <$half>::from_le_bytes(*bytes);
                }
                halves[..count].convert_to_f32_slice(&mut values[..count]);
            }
        }

        #[inline(never)]
        fn $narrow(values: &[f32], bytes: &mut [u8]) {
            let mut halves = [<$half>::ZERO; CHUNK];
            for (values, bytes) in values.chunks(CHUNK).zip(bytes.as_chunks_mut::<2>().0.chunks_mut(CHUNK)) {
                let count = values.len().min(bytes.len());
                halves[..count].convert_from_f32_slice(&values[..count]);
                for (bytes, half) in bytes.iter_mut().zip(&halves[..count]) {
                    *bytes = if half.is_nan() { u16::to_le_bytes($nan) } else { half.to_le_bytes() };
                }
            }
        }
    };
}

/// Elements per call of the crate.
const CHUNK: usize = 64;

by_crate!(widen_f16, narrow_f16, ::half::f16, 0x7e00);
by_crate!(widen_bf16, narrow_bf16, ::half::bf16, 0x7fc0);

/// Widens bfloat16 elements of `bytes` to f32, up to the shorter of the two.
#[inline(always)]
pub(crate) fn widen_bfloats<F: Features>(bytes: &[u8], values: &mut [f32]) {
    if !F::FUSED {
        return widen_bf16(bytes, values);
    }
    for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<2>().0) {
        *value = bf16_to_f32(u16::from_le_bytes(*bytes));
    }
}

/// Rounds values to bfloat16, to nearest, contiguously, up to the shorter of the two.
#[inline(always)]
pub(crate) fn narrow_to_bfloats<F: Features>(values: &[f32], bytes: &mut [u8]) {
    if !F::FUSED {
        return narrow_bf16(values, bytes);
    }
    for (value, bytes) in values.iter().zip(bytes.as_chunks_mut::<2>().0) {
        *bytes = bf16_from_f32(*value).to_le_bytes();
    }
}

/// Widens binary16 elements of `bytes` to f32, up to the shorter of the two.
#[inline(always)]
pub(crate) fn widen_halves<F: Features>(bytes: &[u8], values: &mut [f32]) {
    if !F::FUSED {
        return widen_f16(bytes, values);
    }
    let count = values.len().min(bytes.len() / 2);
    let (bytes, values) = (&bytes[..count * 2], &mut values[..count]);
    #[cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), allow(unused_mut))]
    let mut done = 0;
    // Stores as wide as the loads of the next stage: a load that spans several narrower stores cannot be forwarded.
    #[cfg(target_arch = "x86_64")]
    if F::AVX512 {
        let (blocks, _) = bytes.as_chunks::<{ 4 * LANES }>();
        for (block, values) in blocks.iter().zip(values.as_chunks_mut::<{ 2 * LANES }>().0) {
            // SAFETY: `AVX512` is true only inside functions of a level that has these instructions.
            *values = unsafe { native::widen_wide(block) };
        }
        done = count - count % (2 * LANES);
    }
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    if F::FUSED {
        let (blocks, _) = bytes[done * 2..].as_chunks::<{ 2 * LANES }>();
        for (block, values) in blocks.iter().zip(values[done..].as_chunks_mut::<LANES>().0) {
            // SAFETY: `FUSED` is true only inside functions of a level that has these instructions.
            *values = unsafe { native::widen(block) };
        }
        done = count - count % LANES;
    }
    for (value, bytes) in values[done..].iter_mut().zip(bytes[done * 2..].as_chunks::<2>().0) {
        *value = f16_to_f32(u16::from_le_bytes(*bytes));
    }
}

/// Rounds values to binary16, to nearest, contiguously, up to the shorter of the two.
#[inline(always)]
pub(crate) fn narrow_to_halves<F: Features>(values: &[f32], bytes: &mut [u8]) {
    if !F::FUSED {
        return narrow_f16(values, bytes);
    }
    let count = values.len().min(bytes.len() / 2);
    let (values, bytes) = (&values[..count], &mut bytes[..count * 2]);
    #[cfg_attr(not(any(target_arch = "x86_64", target_arch = "aarch64")), allow(unused_mut))]
    let mut done = 0;
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    if F::FUSED {
        done = count - count % (2 * LANES);
        // SAFETY: as above; the places read and written are those of the two slices.
        let nan = unsafe { native::narrow(values.as_ptr(), bytes.as_mut_ptr(), done, f32::INFINITY) };
        if nan {
            canonical_nans(values, bytes);
        }
    }
    for (value, bytes) in values[done..].iter().zip(bytes[done * 2..].as_chunks_mut::<2>().0) {
        *bytes = f16_from_f32(*value).to_le_bytes();
    }
}

/// Replaces the results of NaN values by the canonical NaN.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[cold]
fn canonical_nans(values: &[f32], bytes: &mut [u8]) {
    for (value, bytes) in values.iter().zip(bytes.as_chunks_mut::<2>().0) {
        if value.is_nan() {
            *bytes = 0x7e00u16.to_le_bytes();
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::LANES;
    use crate::prefetch;
    use std::arch::x86_64::*;

    /// Differs from [`f16_to_f32`](super::f16_to_f32) only in the payload of NaN, which no result keeps.
    #[inline]
    #[target_feature(enable = "avx,f16c")]
    pub(super) fn widen(bytes: &[u8; 2 * LANES]) -> [f32; LANES] {
        let mut values = [0.0; LANES];
        // SAFETY: 16 bytes are read and 8 words written, both unaligned.
        unsafe {
            let halves = _mm_loadu_si128(bytes.as_ptr().cast());
            _mm256_storeu_ps(values.as_mut_ptr(), _mm256_cvtph_ps(halves));
        }
        values
    }

    /// [`widen`] for twice as many elements.
    #[inline]
    #[target_feature(enable = "avx512f")]
    pub(super) fn widen_wide(bytes: &[u8; 4 * LANES]) -> [f32; 2 * LANES] {
        let mut values = [0.0; 2 * LANES];
        // SAFETY: 32 bytes are read and 16 words written, both unaligned.
        unsafe {
            let halves = _mm256_loadu_si256(bytes.as_ptr().cast());
            _mm512_storeu_ps(values.as_mut_ptr(), _mm512_cvtph_ps(halves));
        }
        values
    }

    /// Narrows `count` values, a multiple of `2 * LANES`, clamped to `-limit..=limit`. Returns whether any is NaN,
    /// whose payload the result keeps.
    ///
    /// # Safety
    ///
    /// `count` words are read at `values` and `count` 16-bit floats written at `bytes`; the two ranges do not overlap.
    #[inline]
    #[target_feature(enable = "avx,f16c")]
    pub(super) unsafe fn narrow(values: *const f32, bytes: *mut u8, count: usize, limit: f32) -> bool {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
        let (most, least) = (_mm256_set1_ps(limit), _mm256_set1_ps(-limit));
        let mut nan = _mm256_setzero_ps();
        for at in (0..count).step_by(2 * LANES) {
            // SAFETY: the caller's promise; all loads and stores are unaligned ones.
            unsafe {
                let a = _mm256_loadu_ps(values.add(at));
                let b = _mm256_loadu_ps(values.add(at + LANES));
                // The unordered compare of a and b finds a NaN in either; min and max keep a NaN that is their second
                // operand.
                nan = _mm256_or_ps(nan, _mm256_cmp_ps::<_CMP_UNORD_Q>(a, b));
                let (a, b) = (_mm256_min_ps(most, a), _mm256_min_ps(most, b));
                let (a, b) = (_mm256_max_ps(least, a), _mm256_max_ps(least, b));
                _mm_storeu_si128(bytes.add(2 * at).cast(), _mm256_cvtps_ph::<NEAREST>(a));
                _mm_storeu_si128(bytes.add(2 * (at + LANES)).cast(), _mm256_cvtps_ph::<NEAREST>(b));
            }
        }
        _mm256_movemask_ps(nan) != 0
    }

    /// [`narrow`] in vectors of 16, with prefetch hints for the bytes to be written. Clamps only if `CLAMPED`.
    ///
    /// # Safety
    ///
    /// Those of [`narrow`].
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq")]
    pub(super) unsafe fn narrow_wide<const CLAMPED: bool>(
        values: *const f32,
        bytes: *mut u8,
        count: usize,
        limit: f32,
    ) -> bool {
        const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
        /// Range operation: the operand of smaller magnitude, with the sign of the first.
        const WITHIN: i32 = 0b0010;
        let limit = _mm512_set1_ps(limit);
        let narrowed = |value: __m512| {
            let value = if CLAMPED { _mm512_range_ps::<WITHIN>(value, limit) } else { value };
            _mm512_cvtps_ph::<NEAREST>(value)
        };
        // The ordered compare of a and b finds NaNs in both; the mask accumulates; two masks break the dependency
        // chain.
        let mut numbers = [u16::MAX; 2];
        let fours = count - count % 64;
        for four in (0..fours).step_by(64) {
            for (pair, numbers) in numbers.iter_mut().enumerate() {
                let at = four + pair * 32;
                prefetch::next_run(bytes.wrapping_add(2 * at), 64, 64);
                // SAFETY: the caller's promise; all loads and stores are unaligned ones.
                unsafe {
                    let (a, b) = (_mm512_loadu_ps(values.add(at)), _mm512_loadu_ps(values.add(at + 16)));
                    *numbers = _mm512_mask_cmp_ps_mask::<_CMP_ORD_Q>(*numbers, a, b);
                    _mm256_storeu_si256(bytes.add(2 * at).cast(), narrowed(a));
                    _mm256_storeu_si256(bytes.add(2 * at + 32).cast(), narrowed(b));
                }
            }
        }
        for at in (fours..count).step_by(16) {
            // SAFETY: as above; a multiple of 16 is left.
            unsafe {
                let value = _mm512_loadu_ps(values.add(at));
                numbers[0] = _mm512_mask_cmp_ps_mask::<_CMP_ORD_Q>(numbers[0], value, value);
                _mm256_storeu_si256(bytes.add(2 * at).cast(), narrowed(value));
            }
        }
        numbers != [u16::MAX; 2]
    }
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use super::LANES;
    use std::arch::aarch64::*;

    /// Differs from [`f16_to_f32`](super::f16_to_f32) only in the payload of NaN, which no result keeps.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn widen(bytes: &[u8; 2 * LANES]) -> [f32; LANES] {
        // SAFETY: both types are 16 bytes, and all bit patterns are valid.
        let halves: [float16x4_t; 2] = unsafe { std::mem::transmute(*bytes) };
        let values = halves.map(|halves| vcvt_f32_f16(halves));
        // SAFETY: both types are 8 words, and all bit patterns are valid.
        unsafe { std::mem::transmute(values) }
    }

    /// Narrows `count` values, a multiple of `2 * LANES`, clamped to `-limit..=limit`. Returns whether any is NaN,
    /// whose payload the result keeps.
    ///
    /// # Safety
    ///
    /// `count` words are read at `values` and `count` 16-bit floats written at `bytes`; the two ranges do not overlap.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) unsafe fn narrow(values: *const f32, bytes: *mut u8, count: usize, limit: f32) -> bool {
        let (most, least) = (vdupq_n_f32(limit), vdupq_n_f32(-limit));
        let mut numbers = vdupq_n_u32(u32::MAX);
        for at in (0..count).step_by(4) {
            // SAFETY: the caller's promise, since `2 * LANES` are whole vectors; an unaligned load.
            let value = unsafe { values.add(at).cast::<float32x4_t>().read_unaligned() };
            numbers = vandq_u32(numbers, vceqq_f32(value, value));
            // Minimum and maximum keep a NaN.
            let halves = vcvt_f16_f32(vmaxq_f32(least, vminq_f32(most, value)));
            // SAFETY: the caller's promise; an unaligned store.
            unsafe { bytes.add(2 * at).cast::<float16x4_t>().write_unaligned(halves) };
        }
        vminvq_u32(numbers) == 0
    }
}

/// Converts f32 at byte `src` to f16 at byte `dst` directly in the buffer, clamped to the finite range if `saturate`.
/// Returns the number of elements converted: whole vectors, or 0 if one of them is NaN or the ranges overlap.
#[inline(always)]
pub(crate) fn narrow_in_place<F: Features>(
    mem: &mut [u8],
    dst: usize,
    src: usize,
    count: usize,
    saturate: bool,
) -> usize {
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    if F::FUSED {
        let done = count - count % (2 * LANES);
        let limit = if saturate { 65504.0 } else { f32::INFINITY };
        let end = |start: usize, bytes: usize| start.saturating_add(done.saturating_mul(bytes));
        let (src_end, dst_end) = (end(src, 4), end(dst, 2));
        assert!(src_end <= mem.len() && dst_end <= mem.len(), "not in the buffer");
        if dst < src_end && src < dst_end {
            return 0;
        }
        let mem = mem.as_mut_ptr();
        // SAFETY: `FUSED` is true only inside functions of a level that has these instructions, as is `AVX512`; both
        // ranges are in the buffer and do not overlap.
        let nan = unsafe {
            let (values, bytes) = (mem.add(src).cast(), mem.add(dst));
            #[cfg(target_arch = "x86_64")]
            let nan = match (F::AVX512, saturate) {
                (true, true) => native::narrow_wide::<true>(values, bytes, done, limit),
                (true, false) => native::narrow_wide::<false>(values, bytes, done, limit),
                (false, _) => native::narrow(values, bytes, done, limit),
            };
            #[cfg(target_arch = "aarch64")]
            let nan = native::narrow(values, bytes, done, limit);
            nan
        };
        return if nan { 0 } else { done };
    }
    let _ = (mem, dst, src, count, saturate);
    0
}
