//! What the core can do at most, as loops that do nothing else: what benchmarks measure themselves by.

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::dispatch::Level;
use crate::dispatch::level;
use std::hint::black_box;

/// Independent sums: as many as hide the latency of a multiply-add where there are two units for them.
const SUMS: usize = 24;

/// Runs so many rounds of fused multiply-adds of f32 in registers, at the current level. Gives how many there were.
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

/// Rows and vectors of columns of the product of which [`multiply_adds_from_l1`] is the loop.
const ROWS: usize = 6;
/// Steps of its factors, which then stand in 16 KB or less.
const STEPS: usize = 64;

/// [`multiply_adds`] whose factors are loaded from L1 as in a product: in each round vectors of a row, and six values for all
/// lanes each. There may be a few rounds more. What products come near to: many a core lowers its clock when it loads as well.
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

/// A loop of a level whose instructions `$feature` names.
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

/// Multiply-adds with loads, of so many vectors of columns; a step is of the sum and both factors.
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
    // There are 16 registers, two of them for factors.
    run!(run_256, "avx2,fma", 8 x { SUMS / 2 }, _mm256_set1_ps, _mm256_fmadd_ps);
    load!(load_512, "avx512f", 16 x 4, _mm512_set1_ps, _mm512_loadu_ps, |sum, a, b| _mm512_fmadd_ps(a, b, sum));
    load!(load_256, "avx2,fma", 8 x 2, _mm256_set1_ps, _mm256_loadu_ps, |sum, a, b| _mm256_fmadd_ps(a, b, sum));
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use super::{ROWS, STEPS, SUMS, black_box};
    use std::arch::aarch64::*;

    // The sum is the addend here, not a factor.
    run!(run_128, "neon", 4 x SUMS, vdupq_n_f32, vfmaq_f32);
    load!(load_128, "neon", 4 x 4, vdupq_n_f32, vld1q_f32, |sum, a, b| vfmaq_f32(sum, a, b));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::{levels, with_level};

    #[test]
    fn every_level_counts_its_lanes() {
        for level in levels() {
            let done = with_level(level, || [multiply_adds(10), multiply_adds_from_l1(100)]);
            assert!(done[0] >= 10 * SUMS && done[0].is_multiple_of(10 * SUMS), "{level:?}: {done:?}");
            assert!(done[1] >= 100 * ROWS && done[1].is_multiple_of(STEPS * ROWS), "{level:?}: {done:?}");
        }
    }
}
