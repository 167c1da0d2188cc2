//! The exponential of f32, in f32: e^x = 2^k 2^(j/32) e^r, where r is small enough for a series of four terms.
//!
//! Every step is one IEEE 754 operation, fused where written so, in this order on every host. The error before the
//! final rounding is below 0.01 units in the last place, so that a result is within 0.51.

#[cfg(target_arch = "x86_64")]
use super::exp_x86;
use super::tables::{PARTS, POWERS};
use crate::dispatch::Features;
use std::f64::consts::{LN_2, LOG2_E};

/// Arguments below the first give 0, above the second infinity.
pub(super) const BOUNDS: [f32; 2] = [-104.0, 89.0];

/// The smallest argument whose e^x is a normal number.
pub(super) const LEAST_NORMAL: f32 = -87.336_54;

/// 1.5 * 2^18: adding it rounds to a multiple of 1/32, and the low bits of the sum are that multiple.
pub(super) const MAGIC: f32 = 393_216.0;

/// ln 2 to 24 bits, so that the reduced argument is exact.
pub(super) const LN_2_HIGH: f32 = LN_2 as f32;

/// ln 2 minus [`LN_2_HIGH`].
pub(super) const LN_2_LOW: f32 = (LN_2 - LN_2_HIGH as f64) as f32;

/// log2 e.
pub(super) const LOG2_OF_E: f32 = LOG2_E as f32;

/// Minimax coefficients of (e^r - 1 - r) / r^2 for |r| <= ln(2)/64: within 10^-10 of e^r.
pub(super) const SERIES: [f32; 2] = [0.500_004_05, 0.166_666_67];

/// e^x.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    let parts = split(x);
    put_together(x, parts, look_up(parts.0))
}

/// Splits the argument: `shifted` = n + [`MAGIC`], n = k + j/32, and r = x - n [`LN_2_HIGH`]. NaN gives NaN.
#[inline(always)]
fn split(x: f32) -> (f32, f32, f32) {
    let within = if x < BOUNDS[0] { BOUNDS[0] } else { x };
    let within = if within > BOUNDS[1] { BOUNDS[1] } else { within };
    let shifted = within.mul_add(LOG2_OF_E, MAGIC);
    let n = shifted - MAGIC;
    (shifted, n, n.mul_add(-LN_2_HIGH, within))
}

/// 2^(j/32) as f32, and its relative error.
#[inline(always)]
fn look_up(shifted: f32) -> [f32; 2] {
    POWERS.map(|powers| powers[shifted.to_bits() as usize % PARTS])
}

/// e^x from the parts of x and the table entries.
#[inline(always)]
fn put_together(x: f32, (shifted, n, r): (f32, f32, f32), [power, lacking]: [f32; 2]) -> f32 {
    let more = more_than(power, lacking, n, r);
    if x < LEAST_NORMAL { below_normal(power, more, shifted) } else { scaled(power + more, shifted) }
}

/// 2^(j/32) e^(x - n ln 2) minus `power`. `power` is 2^(j/32) as f32, and `lacking` is its relative error; `r` is x - n [`LN_2_HIGH`].
#[inline(always)]
fn more_than(power: f32, lacking: f32, n: f32, r: f32) -> f32 {
    let [c0, c1] = SERIES;
    // The errors of ln 2 and of the table enter the low-order terms: e^(r + more) = 1 + r + (more + r (more + r
    // series)).
    let more = n.mul_add(-LN_2_LOW, lacking);
    let small = r.mul_add(r.mul_add(r.mul_add(c1, c0), more), more);
    power.mul_add(r, power * small)
}

/// k, which is above the five bits of j.
#[inline(always)]
fn exponent(shifted: f32) -> i32 {
    shifted.to_bits().wrapping_sub(MAGIC.to_bits()).cast_signed() >> PARTS.ilog2()
}

/// `value` times 2^k in two steps, since 2^k alone may not be a normal number; the first step is exact.
#[inline(always)]
fn scaled(value: f32, shifted: f32) -> f32 {
    let k = exponent(shifted);
    let half = k >> 1;
    let power = |k: i32| f32::from_bits((k.wrapping_add(127) << 23).cast_unsigned());
    value * power(half) * power(k.wrapping_sub(half))
}

/// The sum times 2^k where that is subnormal. `grid` is a power of two whose last place, times 2^k, is the smallest
/// subnormal: adding it rounds the sum once. The error of the first addition is exact and enters the second. The
/// difference of the bits is the result, without arithmetic on subnormals, which is slow on most hosts.
#[inline(always)]
fn below_normal(power: f32, more: f32, shifted: f32) -> f32 {
    let grid = f32::from_bits((1i32.wrapping_sub(exponent(shifted)) << 23).cast_unsigned());
    let high = grid + power;
    let lost = power - (high - grid);
    f32::from_bits((high + (lost + more)).to_bits().wrapping_sub(grid.to_bits()))
}

/// Replaces values by their [`exp`] in vectors, and returns the remaining values.
#[inline(always)]
pub(crate) fn exp_vectors<F: Features>(values: &mut [f32]) -> &mut [f32] {
    #[cfg(target_arch = "x86_64")]
    if F::AVX512 {
        // SAFETY: `AVX512` is true only inside functions of a level that has these instructions.
        return unsafe { exp_x86::sixteens(values) };
    }
    #[cfg(target_arch = "x86_64")]
    if F::AVX2 {
        // SAFETY: as above, for `AVX2`.
        return unsafe { exp_x86::eights(values) };
    }
    if !F::FUSED {
        return values;
    }
    let (vectors, rest) = values.as_chunks_mut();
    vectors.iter_mut().for_each(exp_many);
    rest
}

/// Values that pass through each step together.
const LANES: usize = 8;

/// [`exp`] of each value, with the table lookups in a loop of their own, since a loop with lookups does not vectorize.
#[inline(always)]
fn exp_many(values: &mut [f32; LANES]) {
    let parts = values.map(split);
    let powers = parts.map(|(shifted, ..)| look_up(shifted));
    for (i, value) in values.iter_mut().enumerate() {
        *value = put_together(*value, parts[i], powers[i]);
    }
}
