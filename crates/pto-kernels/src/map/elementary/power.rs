//! Power of f32, by a logarithm and an exponential in f64 without table lookups, so that loops over it vectorize at
//! every level.

use std::f64::consts::{LN_2, LOG2_E, SQRT_2};

use super::{LN_2_SHORT, exponent};

#[allow(clippy::excessive_precision)]
/// Minimax coefficients of (atanh(s)/s - 1) / s^2 in s^2, for (1+s)/(1-s) between 1/sqrt(2) and sqrt(2).
const LOG: [f64; 5] = [
    0.333_333_333_336_893_4,
    0.199_999_993_962_205_97,
    0.142_858_777_675_466_7,
    0.110_956_687_126_651_01,
    0.096_819_425_139_617_72,
];

/// ln x in f64 for positive finite x.
#[inline(always)]
fn log_wide(x: f64) -> f64 {
    const LOW: u64 = (SQRT_2 / 2.0).to_bits();
    const ONE: u64 = 1f64.to_bits();
    // The significand is moved to [sqrt(1/2), sqrt(2)), so that nothing cancels near 1.
    let bits = x.to_bits().wrapping_add(ONE - LOW);
    let m = f64::from_bits((bits & ((1 << 52) - 1)) + LOW);
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let [c0, c1, c2, c3, c4] = LOG;
    let g = c0 + z * (c1 + z * (c2 + z * (c3 + z * c4)));
    exponent(bits) * LN_2 + 2.0 * (s + s * z * g)
}

/// 1.5 * 2^52: adding it rounds to an integer, which is then in the low bits.
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

/// e^x in f64 with a relative error of 2^-32, for x from -110 to 100; outside the range of f32, a value that rounds to
/// 0 or infinity. NaN for NaN.
#[inline(always)]
fn exp_wide(x: f64) -> f64 {
    let shifted = x * LOG2_E + MAGIC;
    let r = x - (shifted - MAGIC) * LN_2_SHORT;
    let [c0, c1, c2, c3, c4, c5] = EXP;
    let r2 = r * r;
    let high = (c4 + c5 * r) * r2 + (c2 + c3 * r);
    let p = 1.0 + (r + r2 * (high * r2 + (c0 + c1 * r)));
    // Multiplies by the power of two whose exponent is in the low bits.
    f64::from_bits(p.to_bits().wrapping_add(shifted.to_bits() << 52))
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
