//! Exact decoding: from bits to values.

use crate::{Element, hif8};

/// The fields of a float format with sign, exponent and mantissa.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    /// Width of the exponent field.
    pub exponent: u32,
    /// Width of the mantissa field.
    pub mantissa: u32,
    /// Exponent bias.
    pub bias: i32,
    /// Bits of the largest finite magnitude.
    pub max: u64,
    /// Bits of positive infinity.
    pub infinity: Option<u64>,
    /// Bits of the canonical NaN.
    pub nan: Option<u64>,
}

impl Element {
    /// The fields of a sign-exponent-mantissa float; `None` for integers, `HiF8` and `E8M0`.
    #[inline]
    pub const fn fields(self) -> Option<Fields> {
        let (exponent, mantissa, bias, max, infinity, nan) = match self {
            Element::F32 => (8, 23, 127, 0x7f7f_ffff, Some(0x7f80_0000), Some(0x7fc0_0000)),
            Element::F16 => (5, 10, 15, 0x7bff, Some(0x7c00), Some(0x7e00)),
            Element::Bf16 => (8, 7, 127, 0x7f7f, Some(0x7f80), Some(0x7fc0)),
            Element::E4M3 => (4, 3, 7, 0x7e, None, Some(0x7f)),
            Element::E5M2 => (5, 2, 15, 0x7b, Some(0x7c), Some(0x7e)),
            Element::E2M1x2 => (2, 1, 1, 0x7, None, None),
            Element::E1M2x2 => (1, 2, 1, 0x7, None, None),
            _ => return None,
        };
        Some(Fields { exponent, mantissa, bias, max, infinity, nan })
    }

    /// A mask of the low [`bits`](Element::bits).
    #[inline]
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// A mask of the low [`value_bits`](Element::value_bits).
    #[inline]
    pub const fn value_mask(self) -> u64 {
        u64::MAX >> (64 - self.value_bits())
    }

    /// The value of an element, or of the first value of a pair, given its bits (higher bits are ignored).
    ///
    /// Exact for every float; integers beyond 53 bits round to nearest even.
    #[inline]
    pub fn decode(self, bits: u64) -> f64 {
        let bits = bits & self.value_mask();
        if let Some(fields) = self.fields() {
            return fields.decode(bits);
        }
        match self {
            Element::HiF8 => hif8::decode(bits as u8),
            Element::E8M0 if bits == 0xff => f64::NAN,
            Element::E8M0 => power_of_two(bits as i32 - 127),
            _ => self.decode_int(bits) as f64,
        }
    }

    /// The value of an integer, or of the first integer of a pair, given its bits; for a float, the bits as an integer.
    #[inline]
    pub fn decode_int(self, bits: u64) -> i128 {
        let bits = bits & self.value_mask();
        if self.holds_signed_integers() {
            let shift = 64 - self.value_bits();
            return i128::from(((bits << shift) as i64) >> shift);
        }
        i128::from(bits)
    }

    /// Whether values are two's complement integers.
    #[inline]
    pub(crate) const fn holds_signed_integers(self) -> bool {
        self.holds_integers() && !self.is_unsigned_integer()
    }

    /// The canonical quiet NaN, if the format has a NaN.
    #[inline]
    pub const fn nan(self) -> Option<u64> {
        match self {
            Element::HiF8 => Some(0x80),
            Element::E8M0 => Some(0xff),
            _ => match self.fields() {
                Some(fields) => fields.nan,
                None => None,
            },
        }
    }
}

impl Fields {
    /// Mask of the sign bit.
    #[inline]
    pub const fn sign(self) -> u64 {
        1 << (self.exponent + self.mantissa)
    }

    #[inline]
    fn decode(self, bits: u64) -> f64 {
        let magnitude = bits & (self.sign() - 1);
        let beyond = match self.infinity {
            Some(infinity) => infinity,
            None => self.max,
        };
        let value = if Some(magnitude) == self.infinity {
            f64::INFINITY
        } else if magnitude > beyond {
            return f64::NAN;
        } else {
            let exponent = (magnitude >> self.mantissa) as i32;
            let mantissa = magnitude & ((1 << self.mantissa) - 1);
            let significand = if exponent == 0 { mantissa } else { mantissa | 1 << self.mantissa };
            significand as f64 * power_of_two(exponent.max(1) - self.bias - self.mantissa as i32)
        };
        if bits & self.sign() != 0 { -value } else { value }
    }
}

/// 2 to the power of `exponent`, which must be in the normal range of f64: -1022 to 1023.
#[inline]
pub fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
