//! Vectors of words, and the steps of the chains of a product: one trait over the instructions of each level.

use super::WORD;

/// Words along k of the squares that [`Vector::transpose`] takes.
pub(super) const SQUARE: usize = 8;

/// A vector of words of C. Every caller promises that the host has its instructions.
///
/// Pointers need no alignment.
pub(super) trait Vector: Copy {
    /// Words.
    const LANES: usize;
    /// Maximum number of rows of a tile of less than full width: 8 for 16-word vectors, of which there are 32
    /// registers.
    const HIGH: usize = if Self::LANES == 16 { 8 } else { 6 };
    /// All zeros.
    unsafe fn zero() -> Self;
    /// Loads LANES words at `from`, which may be read.
    unsafe fn load(from: *const u8) -> Self;
    /// Broadcasts the word at `from`, which may be read.
    unsafe fn splat(from: *const u8) -> Self;
    /// The next sums of the chains.
    unsafe fn step(self, a: Self, b: Self) -> Self;
    /// The sums in the form in which they are written: NaN is canonical.
    unsafe fn finish(self) -> Self;
    /// Writes LANES words at `to`, which may be written.
    unsafe fn store(self, to: *mut u8);
    /// Copies [`SQUARE`] words of each of LANES lines, `line` bytes apart, which may be read, to SQUARE rows of LANES
    /// words, `stride` bytes apart, which may be written and do not overlap the lines.
    unsafe fn transpose(from: *const u8, line: usize, to: *mut u8, stride: usize) {
        for i in 0..Self::LANES {
            for p in 0..SQUARE {
                // SAFETY: the caller's: line i has SQUARE words, row p has LANES.
                unsafe {
                    let word = from.add(i * line + p * WORD).cast::<[u8; WORD]>().read();
                    to.add(p * stride + i * WORD).cast::<[u8; WORD]>().write(word);
                }
            }
        }
    }
}

/// Vectors of four words in plain Rust, for any host.
macro_rules! portable {
    ($(#[$doc:meta])* $name:ident, $step:expr, $finish:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(super) struct $name([u32; 4]);

        impl Vector for $name {
            const LANES: usize = 4;
            #[inline(always)]
            unsafe fn zero() -> Self {
                $name([0; 4])
            }
            #[inline(always)]
            unsafe fn load(from: *const u8) -> Self {
                // SAFETY: the caller's; arrays of bytes need no alignment.
                $name(unsafe { from.cast::<[[u8; WORD]; 4]>().read() }.map(u32::from_le_bytes))
            }
            #[inline(always)]
            unsafe fn splat(from: *const u8) -> Self {
                // SAFETY: as above.
                $name([u32::from_le_bytes(unsafe { from.cast::<[u8; WORD]>().read() }); 4])
            }
            #[inline(always)]
            unsafe fn step(self, a: Self, b: Self) -> Self {
                $name(std::array::from_fn(|lane| $step(self.0[lane], a.0[lane], b.0[lane])))
            }
            #[inline(always)]
            unsafe fn finish(self) -> Self {
                $name(self.0.map($finish))
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut u8) {
                // SAFETY: as above.
                unsafe { to.cast::<[[u8; WORD]; 4]>().write(self.0.map(u32::to_le_bytes)) }
            }
        }
    };
}

portable!(
    /// f32; a step is one fused multiply-add.
    FloatWords,
    |sum, a, b| f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(sum)).to_bits(),
    |sum| crate::number::canonical_bits(f32::from_bits(sum))
);
portable!(
    /// i32; a step adds the products of two pairs of i16, wrapping.
    IntegerWords,
    |sum: u32, a: u32, b: u32| {
        let product = |a: u32, b: u32| (i32::from(a as i16) * i32::from(b as i16)) as u32;
        sum.wrapping_add(product(a, b)).wrapping_add(product(a >> 16, b >> 16))
    },
    |sum| sum
);

/// A vector type of an architecture. Arguments are its intrinsics, or expressions of them.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! vector {
    ($(#[$doc:meta])* $name:ident($raw:ty) of $lanes:literal $word:ty,
     $zero:expr, $load:expr, $splat:ident, $store:expr, $step:expr, $finish:expr, $transpose:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy)]
        pub(in super::super) struct $name($raw);

        impl Vector for $name {
            const LANES: usize = $lanes;
            #[inline(always)]
            unsafe fn zero() -> Self {
                // SAFETY: the host has the instructions, by the trait's promise; this also holds for the methods below.
                unsafe { $name($zero()) }
            }
            #[inline(always)]
            unsafe fn load(from: *const u8) -> Self {
                // SAFETY: the caller's; an unaligned load.
                unsafe { $name($load(from.cast())) }
            }
            #[inline(always)]
            unsafe fn splat(from: *const u8) -> Self {
                // SAFETY: the caller's; any bits are a valid word.
                unsafe { $name($splat(from.cast::<$word>().read_unaligned())) }
            }
            #[inline(always)]
            unsafe fn step(self, a: Self, b: Self) -> Self {
                // SAFETY: as for `zero`.
                unsafe { $name($step(self.0, a.0, b.0)) }
            }
            #[inline(always)]
            #[allow(unused_unsafe)] // Integers stay as they are.
            unsafe fn finish(self) -> Self {
                // SAFETY: as for `zero`.
                unsafe { $name($finish(self.0)) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut u8) {
                // SAFETY: the caller's; an unaligned store.
                unsafe { $store(to.cast(), self.0) }
            }
            #[inline(always)]
            unsafe fn transpose(from: *const u8, line: usize, to: *mut u8, stride: usize) {
                // SAFETY: the caller's.
                unsafe { $transpose(from, line, to, stride) }
            }
        }
    };
}

#[cfg(target_arch = "aarch64")]
pub(super) use neon::{Floats128, Integers128};
#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Dots512, Floats256, Floats512, Integers256, Integers512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::Vector;

    const NAN: i32 = 0x7fc0_0000;

    vector!(
        /// f32; a step is one fused multiply-add.
        Floats512(__m512) of 16 f32,
        _mm512_setzero_ps, _mm512_loadu_ps, _mm512_set1_ps, _mm512_storeu_ps,
        |sum, a, b| _mm512_fmadd_ps(a, b, sum),
        |sum| {
            // `fixupimm` classifies values: QNaN and SNaN, classes 0 and 1, select the first operand, all others the
            // second.
            let nan = _mm512_castsi512_ps(_mm512_set1_epi32(NAN));
            _mm512_fixupimm_ps::<0>(nan, sum, _mm512_set1_epi32(0x1111_1100))
        },
        transpose_16
    );
    vector!(
        /// f32; a step is one fused multiply-add.
        Floats256(__m256) of 8 f32,
        _mm256_setzero_ps, _mm256_loadu_ps, _mm256_set1_ps, _mm256_storeu_ps,
        |sum, a, b| _mm256_fmadd_ps(a, b, sum),
        |sum| {
            let nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(sum, sum);
            _mm256_blendv_ps(sum, _mm256_castsi256_ps(_mm256_set1_epi32(NAN)), nan)
        },
        transpose_8
    );
    vector!(
        /// i32; a step adds the products of two pairs of i16, wrapping.
        Integers512(__m512i) of 16 i32,
        _mm512_setzero_si512, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_storeu_si512,
        |sum, a, b| _mm512_add_epi32(sum, _mm512_madd_epi16(a, b)),
        |sum| sum,
        transpose_16
    );
    vector!(
        /// [`Integers512`] with a step in one instruction.
        Dots512(__m512i) of 16 i32,
        _mm512_setzero_si512, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_storeu_si512,
        |sum, a, b| _mm512_dpwssd_epi32(sum, a, b),
        |sum| sum,
        transpose_16
    );
    vector!(
        /// i32; a step adds the products of two pairs of i16, wrapping.
        Integers256(__m256i) of 8 i32,
        _mm256_setzero_si256, _mm256_loadu_si256, _mm256_set1_epi32, _mm256_storeu_si256,
        |sum, a, b| _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)),
        |sum| sum,
        transpose_8
    );

    /// 8 words of each of 16 lines. Lines 2i and 2i + 1 are loaded as one vector; 4 x 4 words of four vectors are
    /// transposed in each quarter; then the quarters with the same words of the first and the last 8 lines are joined.
    ///
    /// Every operation is a shuffle, and a core does one per cycle. But no sequence has fewer operations to move parts
    /// of 8 vectors into each of 8, and among multiply-adds, which use the same ports, the number of operations is the
    /// cost.
    ///
    /// # Safety
    ///
    /// As for [`Vector::transpose`].
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // Lines and rows are numbers here, of places in memory too.
    unsafe fn transpose_16(from: *const u8, line: usize, to: *mut u8, stride: usize) {
        // SAFETY: the caller's: 8 words of each line, 16 words of each row.
        unsafe {
            // The quarters of vector i: words i and i + 4 of the even lines, then words i and i + 4 of the odd lines.
            let mut halves = [[_mm512_setzero_ps(); 4]; 2];
            for half in 0..2 {
                let mut pairs = [_mm512_setzero_ps(); 4];
                for i in 0..4 {
                    let even = from.add((half * 8 + i * 2) * line);
                    let low = _mm512_castpd256_pd512(_mm256_loadu_pd(even.cast()));
                    let both = _mm512_insertf64x4::<1>(low, _mm256_loadu_pd(even.add(line).cast()));
                    pairs[i] = _mm512_castpd_ps(both);
                }
                let [a, b, c, d] = pairs;
                let [ab, ab_high] = [_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b)];
                let [cd, cd_high] = [_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d)];
                halves[half] = [
                    _mm512_shuffle_ps::<0b01_00_01_00>(ab, cd),
                    _mm512_shuffle_ps::<0b11_10_11_10>(ab, cd),
                    _mm512_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
                    _mm512_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
                ];
            }
            let low = _mm512_setr_epi32(0, 8, 1, 9, 2, 10, 3, 11, 16, 24, 17, 25, 18, 26, 19, 27);
            let high = _mm512_setr_epi32(4, 12, 5, 13, 6, 14, 7, 15, 20, 28, 21, 29, 22, 30, 23, 31);
            for i in 0..4 {
                let [first, second] = [halves[0][i], halves[1][i]];
                let row = to.add(i * stride);
                _mm512_storeu_ps(row.cast(), _mm512_permutex2var_ps(first, low, second));
                _mm512_storeu_ps(row.add(4 * stride).cast(), _mm512_permutex2var_ps(first, high, second));
            }
        }
    }

    /// 8 words of each of 8 lines. Halves of lines i and i + 4 are loaded into one vector, so that only transposes of 4
    /// x 4 words in each half remain.
    ///
    /// # Safety
    ///
    /// As for [`Vector::transpose`].
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // The indices also compute addresses.
    unsafe fn transpose_8(from: *const u8, line: usize, to: *mut u8, stride: usize) {
        for half in 0..2 {
            // SAFETY: the caller's: 4 words from the half's start of each line, 8 words of each row.
            unsafe {
                let mut lines = [_mm256_setzero_ps(); 4];
                for i in 0..4 {
                    let upper = _mm_loadu_ps(from.add((i + 4) * line + half * 16).cast());
                    let lower = _mm_loadu_ps(from.add(i * line + half * 16).cast());
                    lines[i] = _mm256_set_m128(upper, lower);
                }
                let [a, b, c, d] = lines;
                let [ab, ab_high] = [_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b)];
                let [cd, cd_high] = [_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d)];
                let rows = [
                    _mm256_shuffle_ps::<0b01_00_01_00>(ab, cd),
                    _mm256_shuffle_ps::<0b11_10_11_10>(ab, cd),
                    _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
                    _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
                ];
                for i in 0..4 {
                    _mm256_storeu_ps(to.add((half * 4 + i) * stride).cast(), rows[i]);
                }
            }
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use std::arch::aarch64::*;
    use std::ptr::{read_unaligned, write_unaligned};

    use super::{SQUARE, Vector, WORD};

    vector!(
        /// f32; a step is one fused multiply-add.
        Floats128(float32x4_t) of 4 f32,
        || vdupq_n_f32(0.0), read_unaligned::<float32x4_t>, vdupq_n_f32, write_unaligned::<float32x4_t>,
        |sum, a, b| vfmaq_f32(sum, a, b),
        |sum| vbslq_f32(vceqq_f32(sum, sum), sum, vdupq_n_f32(f32::from_bits(0x7fc0_0000))),
        transpose_4
    );
    vector!(
        /// i32; a step adds the products of two pairs of i16, wrapping.
        Integers128(int32x4_t) of 4 i32,
        || vdupq_n_s32(0), read_unaligned::<int32x4_t>, vdupq_n_s32, write_unaligned::<int32x4_t>,
        |sum, a, b| {
            // The halves of a factor are equal in all steps that use it; the compiler splits them once.
            let low = vmlal_s16(sum, vmovn_s32(a), vmovn_s32(b));
            vmlal_s16(low, vshrn_n_s32::<16>(a), vshrn_n_s32::<16>(b))
        },
        |sum| sum,
        transpose_4
    );

    /// 8 words of each of 4 lines: 4 x 4 words at a time, pairs of words first, then pairs of pairs.
    ///
    /// # Safety
    ///
    /// As for [`Vector::transpose`].
    #[inline(always)]
    unsafe fn transpose_4(from: *const u8, line: usize, to: *mut u8, stride: usize) {
        for half in (0..SQUARE).step_by(4) {
            let word = |i: usize| from.wrapping_add(i * line + half * WORD).cast::<uint32x4_t>();
            // SAFETY: the caller's: 4 words from the half's start of each line; unaligned loads.
            let [a, b, c, d] = unsafe { [0, 1, 2, 3].map(|i| word(i).read_unaligned()) };
            // SAFETY: the host has the instructions, by the trait's promise.
            let rows = unsafe {
                let pairs = [vtrn1q_u32(a, b), vtrn2q_u32(a, b), vtrn1q_u32(c, d), vtrn2q_u32(c, d)];
                let [ab, ab_odd, cd, cd_odd] = pairs.map(|pair| vreinterpretq_u64_u32(pair));
                [
                    vtrn1q_u64(ab, cd),
                    vtrn1q_u64(ab_odd, cd_odd),
                    vtrn2q_u64(ab, cd),
                    vtrn2q_u64(ab_odd, cd_odd),
                ]
            };
            for (i, row) in rows.into_iter().enumerate() {
                // SAFETY: the caller's: 4 words of each row; an unaligned store.
                unsafe { to.add((half + i) * stride).cast::<uint64x2_t>().write_unaligned(row) };
            }
        }
    }
}
