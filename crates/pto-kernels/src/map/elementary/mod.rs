//! Exponential, logarithm and power of f32, by polynomials in f64.
//!
//! Plain multiplications and additions in a fixed order, special cases by selection: the loops vectorize and
//! the bits are the same everywhere. The f64 results are good to 2^-32 (exp) and 2^-43 (log) of their value,
//! so that the f32 is within 0.51 units of the last place.

use crate::dispatch::Features;
use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

/// ln 2 to 44 bits: times an exponent of f32 it is exact, so that it does not matter whether it is fused.
const LN_2_SHORT: f64 = f64::from_bits(LN_2.to_bits() & !0x1ff);

/// 1.5 * 2^52: adding it rounds to an integer, which then stands in the low bits.
const MAGIC: f64 = 6_755_399_441_055_744.0;

#[allow(clippy::excessive_precision)]
/// Minimax coefficients of (e^r - 1 - r) / r^2 for |r| <= ln(2)/2.
const EXP: [f64; 6] = [
    0.500_000_001_369_255_6,
    0.166_666_666_818_750_5,
    0.041_666_462_666_195_954,
    0.008_333_310_674_603_188,
    0.001_393_390_005_004_003_9,
    0.000_198_912_685_101_072_86,
];

#[allow(clippy::excessive_precision)]
/// Minimax coefficients of (atanh(s)/s - 1) / s^2 in s^2, for (1+s)/(1-s) between 1/sqrt(2) and sqrt(2).
const LOG: [f64; 5] = [
    0.333_333_333_336_893_4,
    0.199_999_993_962_205_97,
    0.142_858_777_675_466_7,
    0.110_956_687_126_651_01,
    0.096_819_425_139_617_72,
];

/// e^x in f64 for x from -110 to 100: beyond f32's range, something that rounds to 0 or infinity. NaN of NaN.
#[inline(always)]
fn exp_wide(x: f64) -> f64 {
    let shifted = x * LOG2_E + MAGIC;
    let r = x - (shifted - MAGIC) * LN_2_SHORT;
    let [c0, c1, c2, c3, c4, c5] = EXP;
    let r2 = r * r;
    let high = (c4 + c5 * r) * r2 + (c2 + c3 * r);
    let p = 1.0 + (r + r2 * (high * r2 + (c0 + c1 * r)));
    times_power(p, shifted)
}

/// The same with fused multiply-adds, in fewer steps. It differs from the other in the last bits of f64, and in f32 for
/// no argument at all: `every_f32` looks at each.
#[inline(always)]
fn exp_wide_fused(x: f64) -> f64 {
    let shifted = x.mul_add(LOG2_E, MAGIC);
    let r = (shifted - MAGIC).mul_add(-LN_2_SHORT, x);
    let [c0, c1, c2, c3, c4, c5] = EXP;
    let q = c5.mul_add(r, c4).mul_add(r, c3).mul_add(r, c2).mul_add(r, c1).mul_add(r, c0);
    times_power(q.mul_add(r, 1.0).mul_add(r, 1.0), shifted)
}

/// A value between 1/2 and 2 times the power of two whose exponent stands in the low bits of `shifted`.
#[inline(always)]
fn times_power(value: f64, shifted: f64) -> f64 {
    f64::from_bits(value.to_bits().wrapping_add(shifted.to_bits() << 52))
}

/// ln x in f64 for positive finite x.
#[inline(always)]
fn log_wide(x: f64) -> f64 {
    const LOW: u64 = (SQRT_2 / 2.0).to_bits();
    const ONE: u64 = 1f64.to_bits();
    // The significand goes to [sqrt(1/2), sqrt(2)), so that nothing cancels near 1.
    let bits = x.to_bits().wrapping_add(ONE - LOW);
    let exponent = f64::from_bits((bits >> 52) | 0x4330_0000_0000_0000) - (4_503_599_627_370_496.0 + 1023.0);
    let m = f64::from_bits((bits & ((1 << 52) - 1)) + LOW);
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let [c0, c1, c2, c3, c4] = LOG;
    let g = c0 + z * (c1 + z * (c2 + z * (c3 + z * c4)));
    exponent * LN_2 + 2.0 * (s + s * z * g)
}

/// e^x. NaN stays NaN by itself: the low bits that the power is taken from are zeros then.
#[inline(always)]
pub(crate) fn exp<F: Features>(x: f32) -> f32 {
    let within = f64::from(clamped(x));
    if F::FUSED { exp_wide_fused(within) as f32 } else { exp_wide(within) as f32 }
}

/// Arguments beyond which e^x is 0 or infinite in f32.
#[inline(always)]
fn clamped(x: f32) -> f32 {
    let x = if x < -110.0 { -110.0 } else { x };
    if x > 100.0 { 100.0 } else { x }
}

/// The natural logarithm; NaN below zero, -infinity at either zero.
#[inline(always)]
pub(crate) fn log(x: f32) -> f32 {
    let y = log_wide(f64::from(x)) as f32;
    let y = if x == f32::INFINITY { x } else { y };
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

/// 1 / sqrt(x) of a positive finite x without a division: a guess from the exponent, good to 1 in 30, a step that takes its
/// error to the fourth power, and one that cubes that. In f32 it is the same as by division for every argument
/// (`every_f32`).
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

/// a to the power of b, with the special cases of IEEE 754 `pow`.
#[inline(always)]
pub(crate) fn pow(a: f32, b: f32) -> f32 {
    let magnitude = a.abs();
    let log = log_wide(f64::from(magnitude));
    let log = if magnitude == 0.0 { f64::NEG_INFINITY } else { log };
    let log = if magnitude == f32::INFINITY { f64::INFINITY } else { log };
    let product = f64::from(b) * log;
    let product = if product < -110.0 { -110.0 } else { product };
    let product = if product > 100.0 { 100.0 } else { product };
    let y = exp_wide(if product.is_nan() { 0.0 } else { product }) as f32;
    let y = if magnitude == 1.0 { 1.0 } else { y };
    // Halving keeps an integer integral if and only if it is even; huge values are even.
    let integral = b.trunc() == b;
    let odd = integral && (b * 0.5).trunc() != b * 0.5;
    let negative = a.to_bits() >> 31 != 0;
    let y = if negative && odd { -y } else { y };
    let y = if a < 0.0 && magnitude != f32::INFINITY && !integral { f32::NAN } else { y };
    let y = if a.is_nan() || b.is_nan() { f32::NAN } else { y };
    if b == 0.0 || a == 1.0 { 1.0 } else { y }
}
