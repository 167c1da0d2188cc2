//! Exponential, logarithm, reciprocal square root and power of f32.
//!
//! Operations of IEEE 754 in a fixed order, special cases by selection: the loops vectorize and the bits are equal on
//! every host. The exponential is computed in f32, the others by polynomials in f64, with a relative error of at most
//! 2^-43 (log); either way the f32 is within 0.51 units in the last place. The logarithm uses tables, which hosts with
//! AVX-512 keep in registers.

mod exp;
#[cfg(target_arch = "x86_64")]
mod exp_x86;
mod power;
mod tables;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use exp::{exp, exp_vectors};
pub(crate) use power::pow;

use crate::dispatch::Features;
use std::f64::consts::LN_2;
use tables::{LOG, LOG_OF, RECIPROCAL};

/// Entries of each table of the logarithm.
const STEPS: usize = 16;

/// ln 2 to 44 bits: its product with an exponent of f32 is exact, fused or not.
const LN_2_SHORT: f64 = f64::from_bits(LN_2.to_bits() & !0x1ff);

/// Bits of 2^52: OR-ing an integer below 2^52 into them gives 2^52 plus that integer.
const BEFORE: u64 = 0x4330_0000_0000_0000;
/// Difference of 2^52 plus a biased exponent and the exponent.
const EXPONENT_OFFSET: f64 = 4_503_599_627_370_496.0 + 1023.0;

/// The exponent of a positive f64 with these bits.
#[inline(always)]
fn exponent(bits: u64) -> f64 {
    f64::from_bits((bits >> 52) | BEFORE) - EXPONENT_OFFSET
}

/// The exponent of a positive finite x, its significand in [1, 2), and the first four bits of the fraction.
#[inline(always)]
fn split(x: f64) -> (f64, f64, u8) {
    const ONE: u64 = 1f64.to_bits();
    let bits = x.to_bits();
    let significand = f64::from_bits(bits & ((1 << 52) - 1) | ONE);
    (exponent(bits), significand, (bits >> 48) as u8 % STEPS as u8)
}

/// ln x in f64 from the exponent and the significand of x, an approximate reciprocal of the significand, and minus the
/// logarithm of that reciprocal. `significand * reciprocal` is exact, since the reciprocal has few bits, and within
/// 1/16 of 1.
#[inline(always)]
fn log_wide(exponent: f64, significand: f64, reciprocal: f64, log_of: f64) -> f64 {
    let r = significand * reciprocal - 1.0;
    let [c0, c1, c2, c3, c4, c5, c6] = LOG;
    let q = (((((c6 * r + c5) * r + c4) * r + c3) * r + c2) * r + c1) * r + c0;
    (q * r + 1.0) * r + (exponent * LN_2_SHORT + log_of)
}

/// Replaces values by their [`rsqrt`] in vectors, if the level has instructions for that, and returns the remaining
/// values.
#[inline(always)]
pub(crate) fn rsqrt_vectors<F: Features>(values: &mut [f32]) -> &mut [f32] {
    #[cfg(target_arch = "x86_64")]
    if F::AVX512 {
        // SAFETY: `AVX512` is true only inside functions of a level that has these instructions.
        return unsafe { x86::all::<x86::Rsqrt>(values) };
    }
    values
}

/// Replaces values by their [`log`] in vectors, and returns the remaining values.
#[inline(always)]
pub(crate) fn log_vectors<F: Features>(values: &mut [f32]) -> &mut [f32] {
    #[cfg(target_arch = "x86_64")]
    if F::AVX512 {
        // SAFETY: as above.
        return unsafe { x86::all::<x86::Log>(values) };
    }
    let (vectors, rest) = values.as_chunks_mut();
    for vector in vectors {
        log_many::<F>(vector);
    }
    rest
}

/// [`log`] of each value, with the table lookups in a loop of their own, since a loop with lookups does not vectorize.
#[inline(always)]
fn log_many<F: Features>(values: &mut [f32; STEPS]) {
    #[cfg(target_arch = "x86_64")]
    if F::AVX2 {
        // SAFETY: `AVX2` is true only inside functions of a level that has these instructions.
        return unsafe { x86::logs(values) };
    }
    let (mut exponents, mut significands, mut steps) = ([0.0; STEPS], [0.0; STEPS], [0u8; STEPS]);
    for i in 0..STEPS {
        (exponents[i], significands[i], steps[i]) = split(f64::from(values[i]));
    }
    let (mut reciprocals, mut logs_of) = ([0.0; STEPS], [0.0; STEPS]);
    for i in 0..STEPS {
        (reciprocals[i], logs_of[i]) = (RECIPROCAL[usize::from(steps[i])], LOG_OF[usize::from(steps[i])]);
    }
    for i in 0..STEPS {
        let log = log_wide(exponents[i], significands[i], reciprocals[i], logs_of[i]);
        values[i] = with_special_cases(values[i], log);
    }
}

/// The natural logarithm; NaN below zero, -infinity at either zero.
#[inline(always)]
pub(crate) fn log(x: f32) -> f32 {
    let (exponent, significand, step) = split(f64::from(x));
    let (reciprocal, log_of) = (RECIPROCAL[usize::from(step)], LOG_OF[usize::from(step)]);
    with_special_cases(x, log_wide(exponent, significand, reciprocal, log_of))
}

/// The logarithm of x, given the result of the formula for finite positive x.
#[inline(always)]
fn with_special_cases(x: f32, log: f64) -> f32 {
    let y = if x == f32::INFINITY { x } else { log as f32 };
    let y = if x == 0.0 { f32::NEG_INFINITY } else { y };
    if x >= 0.0 { y } else { f32::NAN }
}

/// 1 / sqrt(x), rounded from f64; infinity with the sign of a zero.
#[inline(always)]
pub(crate) fn rsqrt<F: Features>(x: f32) -> f32 {
    if !F::FUSED {
        return (1.0 / f64::from(x).sqrt()) as f32;
    }
    let y = rsqrt_wide(f64::from(x)) as f32;
    let y = if x == f32::INFINITY { 0.0 } else { y };
    let y = if x == 0.0 { f32::INFINITY.copysign(x) } else { y };
    if x < 0.0 || x.is_nan() { f32::NAN } else { y }
}

/// 1 / sqrt(x) of a positive finite x without a division: a guess from the exponent with a relative error of 1/30, a
/// step that raises the error to the fourth power, and one that cubes it. The f32 equals that by division for every
/// argument (example `every_f32`).
#[inline(always)]
fn rsqrt_wide(x: f64) -> f64 {
    const GUESS: u64 = 0x5fe6_eb50_c7b5_37a9;
    // 1/sqrt(1 - e) = 1 + e/2 + 3/8 e^2 + 5/16 e^3 + ...
    let y = f64::from_bits(GUESS.wrapping_sub(x.to_bits() >> 1));
    let e = (-x * y).mul_add(y, 1.0);
    let y = (y * e).mul_add(e.mul_add(0.3125, 0.375).mul_add(e, 0.5), y);
    let e = (-x * y).mul_add(y, 1.0);
    (y * e).mul_add(e.mul_add(0.375, 0.5), y)
}
