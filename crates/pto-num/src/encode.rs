//! Rounding of values into formats.

use crate::{Element, Fields, hif8, power_of_two};

/// Rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rounding {
    /// To nearest, ties to the even mantissa.
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Toward negative infinity.
    Floor,
    /// Toward positive infinity.
    Ceil,
    /// Toward zero.
    TowardZero,
    /// Truncate, and set the last bit if the result is inexact (von Neumann).
    Odd,
}

impl Rounding {
    /// Every rounding, in declaration order.
    pub const ALL: [Rounding; 6] = [
        Rounding::NearestEven,
        Rounding::NearestAway,
        Rounding::Floor,
        Rounding::Ceil,
        Rounding::TowardZero,
        Rounding::Odd,
    ];

    /// Rounds to an integral value; the sign of zero is kept, NaN and infinities pass.
    #[inline]
    pub fn integral(self, value: f64) -> f64 {
        if !value.is_finite() || value.abs() >= 4_503_599_627_370_496.0 {
            return value;
        }
        match self {
            Rounding::NearestEven => value.round_ties_even(),
            Rounding::NearestAway => value.round(),
            Rounding::Floor => value.floor(),
            Rounding::Ceil => value.ceil(),
            Rounding::TowardZero => value.trunc(),
            Rounding::Odd => {
                let whole = value.trunc();
                let odd = whole % 2.0 != 0.0;
                if whole == value || odd { whole } else { whole + 1f64.copysign(value) }
            }
        }
    }

    /// Whether a value beyond the largest finite one rounds to that one, by IEEE 754.
    #[inline]
    fn stays_finite(self, negative: bool) -> bool {
        match self {
            Rounding::NearestEven | Rounding::NearestAway => false,
            Rounding::Floor => !negative,
            Rounding::Ceil => negative,
            Rounding::TowardZero | Rounding::Odd => true,
        }
    }
}

/// Treatment of values beyond the largest finite one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Overflow {
    /// Overflow and infinities become the largest finite value; NaN stays NaN.
    Saturate,
    /// IEEE 754: infinity if the format has one, else NaN.
    Ieee,
}

impl Element {
    /// The bits of `value`, correctly rounded into this format; for a packed pair, the bits of one of its values.
    ///
    /// - NaN gives the canonical quiet NaN; 0 if the format has none (integers, 4-bit floats).
    /// - 4-bit floats always saturate. `HiF8` always rounds to nearest, ties away, as the hardware does.
    /// - `E8M0` takes the nearest power of two (a value midway goes up), at least 2^-127; a negative value is
    ///   NaN, overflow 2^127 or NaN.
    /// - Integers round to an integral value, then clamp ([`Overflow::Saturate`]) or keep the low bits of it,
    ///   clamped to 64 bits ([`Overflow::Ieee`]).
    #[inline]
    pub fn encode(self, value: f64, rounding: Rounding, overflow: Overflow) -> u64 {
        if let Some(fields) = self.fields() {
            return fields.encode(value, rounding, overflow);
        }
        match self {
            Element::HiF8 => u64::from(hif8::encode(value, overflow)),
            Element::E8M0 => encode_power(value, rounding, overflow),
            _ => self.encode_int(rounding.integral(value) as i128, overflow),
        }
    }

    /// The bits of an integer in this integer format: clamped, or its low bits.
    #[inline]
    pub fn encode_int(self, value: i128, overflow: Overflow) -> u64 {
        let (least, most) = self.int_range();
        match overflow {
            Overflow::Saturate => value.clamp(least, most) as u64 & self.value_mask(),
            Overflow::Ieee => {
                value.clamp(i128::from(i64::MIN), i128::from(u64::MAX)) as u64 & self.value_mask()
            }
        }
    }

    /// The smallest and the largest integer of this format (of its bits, for a float).
    #[inline]
    pub fn int_range(self) -> (i128, i128) {
        if self.holds_signed_integers() {
            let half = 1i128 << (self.value_bits() - 1);
            return (-half, half - 1);
        }
        (0, i128::from(self.value_mask()))
    }
}

impl Fields {
    #[inline]
    fn encode(self, value: f64, rounding: Rounding, overflow: Overflow) -> u64 {
        if value.is_nan() {
            return self.nan.unwrap_or(0);
        }
        let negative = value.is_sign_negative();
        let sign = if negative { self.sign() } else { 0 };
        let overflowed = match (overflow, self.infinity, self.nan) {
            (Overflow::Ieee, Some(infinity), _) => infinity,
            (Overflow::Ieee, None, Some(nan)) => nan,
            _ => self.max,
        };
        if value.is_infinite() {
            return sign | overflowed;
        }
        let magnitude = value.abs();
        // The exponent is that of the value, at least that of subnormals.
        let least = 1 - self.bias;
        let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(least);
        let beyond = (1 << self.exponent) - self.bias + 1;
        let last = exponent.min(beyond) - self.mantissa as i32;
        // Scaling by a power of two is exact: results that matter are far from the ends of the f64 range.
        let steps = round_magnitude(magnitude * power_of_two(-last), negative, rounding);
        let field = (exponent.min(beyond) - least) as u64;
        // A significand at or above the hidden bit carries into the exponent field.
        let bits = (field << self.mantissa).wrapping_add(steps as u64);
        if steps >= power_of_two(self.mantissa as i32 + 2) || bits > self.max {
            return sign | if rounding.stays_finite(negative) { self.max } else { overflowed };
        }
        sign | bits
    }
}

/// Rounds a magnitude, whose sign is given separately, to an integral value.
#[inline]
fn round_magnitude(magnitude: f64, negative: bool, rounding: Rounding) -> f64 {
    let signed = if negative { -magnitude } else { magnitude };
    rounding.integral(signed).abs()
}

fn encode_power(value: f64, rounding: Rounding, overflow: Overflow) -> u64 {
    if value.is_nan() || value < 0.0 {
        return 0xff;
    }
    if value <= power_of_two(-127) {
        return 0;
    }
    let bits = value.to_bits();
    let exponent = (bits >> 52) as i32 - 1023;
    let fraction = bits & ((1 << 52) - 1);
    let up = match rounding {
        Rounding::NearestEven | Rounding::NearestAway => fraction >= 1 << 51,
        Rounding::Ceil => fraction != 0,
        Rounding::Floor | Rounding::TowardZero | Rounding::Odd => false,
    };
    let code = exponent + i32::from(up) + 127;
    match (code > 0xfe, overflow) {
        (false, _) => code as u64,
        (true, Overflow::Saturate) => 0xfe,
        (true, Overflow::Ieee) => 0xff,
    }
}
