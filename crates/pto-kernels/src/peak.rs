//! Loops that measure the peak multiply-add rate of the core, the reference of the benchmarks.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::dispatch::Level;
use crate::dispatch::level;
use std::hint::black_box;

/// Independent sums: enough to hide the latency of a multiply-add on a core with two such units.
const SUMS: usize = 24;

/// Runs `rounds` rounds of fused multiply-adds of f32 in registers, at the current level. Returns the number of
/// multiply-adds.
pub fn multiply_adds(rounds: usize) -> usize {
    let rounds = black_box(rounds);
    match level() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => x86::run_512(rounds),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => x86::run_256(rounds),
        #[cfg(target_arch = "aarch64")]
        Level::Neon => neon::run_128(rounds),
        _ => portable(rounds),
    }
}

fn portable(rounds: usize) -> usize {
    let (a, b) = black_box((1.5f32, 0.25f32));
    let mut sums = [0f32; SUMS];
    for _ in 0..rounds {
        sums.iter_mut().for_each(|sum| *sum = sum.mul_add(a, b));
    }
    black_box(sums);
    rounds * SUMS
}

/// Rows of the product tile that [`multiply_adds_from_l1`] computes.
const ROWS: usize = 6;
/// Steps along k of its factors, which then take at most 16 KB.
const STEPS: usize = 64;

/// [`multiply_adds`] with factors loaded from L1 as in a product: each step loads the vectors of one row of B and
/// broadcasts 6 words of A. Rounds up to whole passes over k. This is the realistic peak of a product: many
/// cores lower their clock when they also load.
pub fn multiply_adds_from_l1(rounds: usize) -> usize {
    let rounds = black_box(rounds.div_ceil(STEPS));
    let (left, right) = (vec![0.5; ROWS * STEPS], vec![0.25f32; 16 + 64 * STEPS]);
    // Vectors must not straddle cache lines.
    let right = &right[right.as_ptr().align_offset(64).min(16)..];
    match level() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => x86::load_512(rounds, &left, right),
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => x86::load_256(rounds, &left, right),
        #[cfg(target_arch = "aarch64")]
        Level::Neon => neon::load_128(rounds, &left, right),
        _ => portable_from_l1(rounds, &left, right),
    }
}

fn portable_from_l1(rounds: usize, left: &[f32], right: &[f32]) -> usize {
    let mut sums = [[0f32; 4]; ROWS];
    for _ in 0..rounds {
        for (left, right) in left.as_chunks::<ROWS>().0.iter().zip(right.as_chunks::<4>().0) {
            for (left, sums) in left.iter().zip(&mut sums) {
                sums.iter_mut().zip(right).for_each(|(sum, right)| *sum = left.mul_add(*right, *sum));
            }
        }
    }
    black_box(sums);
    rounds * STEPS * ROWS * 4
}

/// Multiply-adds in registers, for the level whose instructions `$feature` names.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! run {
    ($name:ident, $feature:literal, $lanes:literal x $sums:expr, $splat:ident, $multiply_add:ident) => {
        pub(super) fn $name(rounds: usize) -> usize {
            #[target_feature(enable = $feature)]
            fn inner(rounds: usize) {
                let (a, b) = black_box(($splat(1.5), $splat(0.25)));
                let mut sums = [a; $sums];
                for _ in 0..rounds {
                    for sum in &mut sums {
                        *sum = $multiply_add(*sum, a, b);
                    }
                }
                black_box(sums);
            }
            // SAFETY: chosen only at its level, whose features were detected.
            unsafe { inner(rounds) }
            rounds * $sums * $lanes
        }
    };
}

/// Multiply-adds with loads, for tiles `$vectors` vectors wide; `$step` maps a sum and both factors to the next sum.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! load {
    ($name:ident, $feature:literal, $lanes:literal x $vectors:literal, $splat:ident, $load:ident, $step:expr) => {
        pub(super) fn $name(rounds: usize, left: &[f32], right: &[f32]) -> usize {
            #[target_feature(enable = $feature)]
            fn inner(rounds: usize, left: &[f32], right: &[f32]) {
                let left: &[[f32; ROWS]] = &left.as_chunks().0[..STEPS];
                let right: &[[f32; $lanes * $vectors]] = &right.as_chunks().0[..STEPS];
                let mut sums = [[$splat(0.0); $vectors]; ROWS];
                for _ in 0..rounds {
                    for (left, right) in left.iter().zip(right) {
                        let columns: [_; $vectors] = std::array::from_fn(|v| {
                            // SAFETY: a vector of the columns; an unaligned load.
                            unsafe { $load(right.as_ptr().add(v * $lanes)) }
                        });
                        for (left, sums) in left.iter().zip(&mut sums) {
                            let left = $splat(*left);
                            for (sum, right) in sums.iter_mut().zip(columns) {
                                *sum = $step(*sum, left, right);
                            }
                        }
                    }
                }
                black_box(sums);
            }
            // SAFETY: chosen only at its level, whose features were detected.
            unsafe { inner(rounds, left, right) }
            rounds * STEPS * ROWS * $vectors * $lanes
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{ROWS, STEPS, SUMS, black_box};
    use std::arch::x86_64::*;

    run!(run_512, "avx512f", 16 x SUMS, _mm512_set1_ps, _mm512_fmadd_ps);
    // There are 16 registers: half of the sums, so that the two factors fit too.
    run!(run_256, "avx2,fma", 8 x { SUMS / 2 }, _mm256_set1_ps, _mm256_fmadd_ps);
    load!(load_512, "avx512f", 16 x 4, _mm512_set1_ps, _mm512_loadu_ps, |sum, a, b| _mm512_fmadd_ps(a, b, sum));
    load!(load_256, "avx2,fma", 8 x 2, _mm256_set1_ps, _mm256_loadu_ps, |sum, a, b| _mm256_fmadd_ps(a, b, sum));
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use super::{ROWS, STEPS, SUMS, black_box};
    use std::arch::aarch64::*;

    // NEON takes the sum as the addend, the first operand.
    run!(run_128, "neon", 4 x SUMS, vdupq_n_f32, vfmaq_f32);
    load!(load_128, "neon", 4 x 4, vdupq_n_f32, vld1q_f32, |sum, a, b| vfmaq_f32(sum, a, b));
}
