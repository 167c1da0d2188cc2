//! Microkernels: a tile of C of a few rows and one or two vectors of columns, held in registers over all of k.

use crate::dispatch::Level;

/// Words of the largest tile.
pub(super) const TILE: usize = 8 * 32;

/// See [`Micro::run`].
type Run = fn(usize, &[u32], &[u32], &mut [u32; TILE], usize, usize);

/// The microkernel of a level.
#[derive(Clone, Copy)]
pub(super) struct Micro {
    /// Columns of a vector.
    pub(super) lanes: usize,
    /// Heights of tiles that there are, descending.
    heights: &'static [usize],
    /// `(steps, a, b, tile, rows, vectors)`: adds `rows` x `steps` words of A times a panel of B to the tile.
    pub(super) run: Run,
}

impl Micro {
    /// The height of the next tile, if `rest` rows are left.
    pub(super) fn height(&self, rest: usize) -> usize {
        self.heights.iter().copied().find(|&height| height <= rest).unwrap_or(1)
    }
}

/// Fused multiply-adds in f32.
pub(super) fn floats(level: Level) -> Micro {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => Micro { lanes: 16, heights: &[8, 4, 2, 1], run: x86::floats_512 },
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => Micro { lanes: 8, heights: &[6, 4, 2, 1], run: x86::floats_256 },
        _ => Micro { lanes: 4, heights: &[4, 2, 1], run: portable::<Float> },
    }
}

/// Sums of products of pairs of i16, wrapping in i32.
pub(super) fn integers(level: Level) -> Micro {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => Micro { lanes: 16, heights: &[8, 4, 2, 1], run: x86::integers_512 },
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => Micro { lanes: 8, heights: &[6, 4, 2, 1], run: x86::integers_256 },
        _ => Micro { lanes: 4, heights: &[4, 2, 1], run: portable::<PairOfIntegers> },
    }
}

trait Step {
    fn step(accumulator: u32, a: u32, b: u32) -> u32;
    fn finish(accumulator: u32) -> u32;
}

struct Float;
struct PairOfIntegers;

impl Step for Float {
    #[inline(always)]
    fn step(accumulator: u32, a: u32, b: u32) -> u32 {
        f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(accumulator)).to_bits()
    }

    #[inline(always)]
    fn finish(accumulator: u32) -> u32 {
        crate::number::canonical_bits(f32::from_bits(accumulator))
    }
}

impl Step for PairOfIntegers {
    #[inline(always)]
    fn step(accumulator: u32, a: u32, b: u32) -> u32 {
        let product = |a: u32, b: u32| (i32::from(a as i16) * i32::from(b as i16)) as u32;
        accumulator.wrapping_add(product(a, b)).wrapping_add(product(a >> 16, b >> 16))
    }

    #[inline(always)]
    fn finish(accumulator: u32) -> u32 {
        accumulator
    }
}

fn portable<S: Step>(
    steps: usize,
    a: &[u32],
    b: &[u32],
    tile: &mut [u32; TILE],
    rows: usize,
    vectors: usize,
) {
    match vectors {
        1 => portable_columns::<S, 4>(steps, a, b, tile, rows),
        _ => portable_columns::<S, 8>(steps, a, b, tile, rows),
    }
}

fn portable_columns<S: Step, const COLS: usize>(
    steps: usize,
    a: &[u32],
    b: &[u32],
    tile: &mut [u32; TILE],
    rows: usize,
) {
    for (a, tile) in a.chunks_exact(steps).zip(tile.as_chunks_mut::<COLS>().0).take(rows) {
        let mut accumulators = *tile;
        for (&a, b) in a.iter().zip(b.as_chunks::<COLS>().0) {
            for (accumulator, &b) in accumulators.iter_mut().zip(b) {
                *accumulator = S::step(*accumulator, a, b);
            }
        }
        *tile = accumulators.map(S::finish);
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::*;

    use super::TILE;

    /// A microkernel for one instruction set; `$step` is `(accumulator, a, b) -> accumulator`.
    macro_rules! microkernel {
        ($name:ident, $feature:literal, $lanes:literal, $vector:ty, $word:ty, $most:literal,
         $load:ident, $splat:ident, $store:ident, $step:expr, $finish:expr) => {
            pub(super) fn $name(
                steps: usize,
                a: &[u32],
                b: &[u32],
                tile: &mut [u32; TILE],
                rows: usize,
                vectors: usize,
            ) {
                #[target_feature(enable = $feature)]
                fn tile_of<const ROWS: usize, const VECTORS: usize>(
                    steps: usize,
                    a: &[u32],
                    b: &[u32],
                    tile: &mut [u32; TILE],
                ) {
                    let stride = VECTORS * $lanes;
                    assert!(a.len() >= ROWS * steps && b.len() >= steps * stride && TILE >= ROWS * stride);
                    let (a, b, tile) =
                        (a.as_ptr().cast::<$word>(), b.as_ptr().cast::<$word>(), tile.as_mut_ptr());
                    // SAFETY: by the assertion, row i of A has `steps` words from i * steps, row p of the panel
                    // `stride` words from p * stride, and the tile ROWS * stride words; loads and stores are
                    // unaligned ones, and any bits are a valid $word.
                    unsafe {
                        let zero: $vector = std::mem::zeroed();
                        let mut sums = [[zero; VECTORS]; ROWS];
                        for i in 0..ROWS {
                            for v in 0..VECTORS {
                                sums[i][v] = $load(tile.add(i * stride + v * $lanes).cast());
                            }
                        }
                        for p in 0..steps {
                            let mut right = [zero; VECTORS];
                            for v in 0..VECTORS {
                                right[v] = $load(b.add(p * stride + v * $lanes).cast());
                            }
                            for i in 0..ROWS {
                                let left = $splat(*a.add(i * steps + p));
                                for v in 0..VECTORS {
                                    sums[i][v] = $step(sums[i][v], left, right[v]);
                                }
                            }
                        }
                        for i in 0..ROWS {
                            for v in 0..VECTORS {
                                $store(tile.add(i * stride + v * $lanes).cast(), $finish(sums[i][v]));
                            }
                        }
                    }
                }
                // SAFETY: this microkernel is chosen only at its level, whose features were detected.
                unsafe {
                    match (rows, vectors) {
                        ($most, 2) => tile_of::<$most, 2>(steps, a, b, tile),
                        ($most, _) => tile_of::<$most, 1>(steps, a, b, tile),
                        (4, 2) => tile_of::<4, 2>(steps, a, b, tile),
                        (4, _) => tile_of::<4, 1>(steps, a, b, tile),
                        (2, 2) => tile_of::<2, 2>(steps, a, b, tile),
                        (2, _) => tile_of::<2, 1>(steps, a, b, tile),
                        (_, 2) => tile_of::<1, 2>(steps, a, b, tile),
                        (_, _) => tile_of::<1, 1>(steps, a, b, tile),
                    }
                }
            }
        };
    }

    microkernel!(
        floats_512,
        "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma",
        16,
        __m512,
        f32,
        8,
        _mm512_loadu_ps,
        _mm512_set1_ps,
        _mm512_storeu_ps,
        |sum, a, b| _mm512_fmadd_ps(a, b, sum),
        |sum| {
            let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(sum, sum);
            _mm512_mask_blend_ps(nan, sum, _mm512_castsi512_ps(_mm512_set1_epi32(0x7fc0_0000)))
        }
    );
    microkernel!(
        floats_256,
        "avx2,fma",
        8,
        __m256,
        f32,
        6,
        _mm256_loadu_ps,
        _mm256_set1_ps,
        _mm256_storeu_ps,
        |sum, a, b| _mm256_fmadd_ps(a, b, sum),
        |sum| {
            let nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(sum, sum);
            _mm256_blendv_ps(sum, _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc0_0000)), nan)
        }
    );
    microkernel!(
        integers_512,
        "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma",
        16,
        __m512i,
        i32,
        8,
        _mm512_loadu_si512,
        _mm512_set1_epi32,
        _mm512_storeu_si512,
        |sum, a, b| _mm512_add_epi32(sum, _mm512_madd_epi16(a, b)),
        |sum| sum
    );
    microkernel!(
        integers_256,
        "avx2,fma",
        8,
        __m256i,
        i32,
        6,
        _mm256_loadu_si256,
        _mm256_set1_epi32,
        _mm256_storeu_si256,
        |sum, a, b| _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)),
        |sum| sum
    );
}
