//! What the core can do at most, as loops that do nothing else: what benchmarks measure themselves by.

use crate::dispatch::{Level, level};
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

/// A loop of a level whose instructions `$feature` names.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! run {
    ($name:ident, $feature:literal, $lanes:literal, $splat:ident, $multiply_add:ident) => {
        pub(super) fn $name(rounds: usize) -> usize {
            #[target_feature(enable = $feature)]
            fn inner(rounds: usize) {
                let (a, b) = black_box(($splat(1.5), $splat(0.25)));
                let mut sums = [a; SUMS];
                for _ in 0..rounds {
                    for sum in &mut sums {
                        *sum = $multiply_add(*sum, a, b);
                    }
                }
                black_box(sums);
            }
            // SAFETY: chosen only at its level, whose features were detected.
            unsafe { inner(rounds) }
            rounds * SUMS * $lanes
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{SUMS, black_box};
    use std::arch::x86_64::*;

    run!(run_512, "avx512f", 16, _mm512_set1_ps, _mm512_fmadd_ps);
    run!(run_256, "avx2,fma", 8, _mm256_set1_ps, _mm256_fmadd_ps);
}

#[cfg(target_arch = "aarch64")]
mod neon {
    use super::{SUMS, black_box};
    use std::arch::aarch64::*;

    // The sum is the addend here, not a factor.
    run!(run_128, "neon", 4, vdupq_n_f32, vfmaq_f32);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::{levels, with_level};

    #[test]
    fn every_level_counts_its_lanes() {
        for level in levels() {
            let done = with_level(level, || multiply_adds(10));
            assert!(done >= 10 * SUMS && done.is_multiple_of(10 * SUMS), "{level:?}: {done}");
        }
    }
}
