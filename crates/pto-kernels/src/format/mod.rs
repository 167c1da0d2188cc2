//! Bits and values: exact decoding and correctly rounded encoding of every [`Element`].

mod encode;
mod half;
mod hif8;
mod small;

use crate::Element;

pub use encode::{Overflow, Rounding};
pub use half::{bf16_from_f32, bf16_to_f32, f16_from_f32, f16_to_f32};
pub(crate) use half::{narrow_in_place, narrow_to_bfloats, narrow_to_halves, widen_bfloats, widen_halves};
pub(crate) use small::{e1m2_to_f32, e2m1_to_f32, e4m3_to_f32, e5m2_to_f32};

/// The fields of a float format with sign, exponent and mantissa.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields {
    /// Width of the exponent field.
    pub(crate) exponent: u32,
    /// Width of the mantissa field.
    pub(crate) mantissa: u32,
    /// Exponent bias.
    pub(crate) bias: i32,
    /// Bits of the largest finite magnitude.
    pub(crate) max: u64,
    /// Bits of positive infinity.
    pub(crate) infinity: Option<u64>,
    /// Bits of the canonical NaN.
    pub(crate) nan: Option<u64>,
}

impl Element {
    /// The fields of a sign-exponent-mantissa float; `None` for integers, `HiF8` and `E8M0`.
    pub(crate) const fn fields(self) -> Option<Fields> {
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
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    /// A mask of the low [`value_bits`](Element::value_bits).
    pub const fn value_mask(self) -> u64 {
        u64::MAX >> (64 - self.value_bits())
    }

    /// The value of one element, of a pair the first one, given its bits (higher bits are ignored).
    ///
    /// Exact for every float; integers beyond 53 bits round to nearest even.
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

    /// The value of one integer, of a pair the first one, given its bits; the bits themselves for a float.
    pub fn decode_int(self, bits: u64) -> i128 {
        let bits = bits & self.value_mask();
        if self.holds_signed_integers() {
            let shift = 64 - self.value_bits();
            return i128::from(((bits << shift) as i64) >> shift);
        }
        i128::from(bits)
    }

    /// Whether values are two's complement integers.
    pub(crate) const fn holds_signed_integers(self) -> bool {
        self.holds_integers() && !self.is_unsigned_integer()
    }

    /// The canonical quiet NaN, if the format has a NaN.
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
    /// The bit of the sign.
    pub(crate) const fn sign(self) -> u64 {
        1 << (self.exponent + self.mantissa)
    }

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

/// 2 to the power of `exponent`, which is within the normal range of f64.
pub(crate) fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[inline(always)]
fn read<const BYTES: usize>(mem: &[u8], start: usize) -> u64 {
    let mut bytes = [0; 8];
    bytes[..BYTES].copy_from_slice(&mem[start..start + BYTES]);
    u64::from_le_bytes(bytes)
}

#[inline(always)]
fn write<const BYTES: usize>(mem: &mut [u8], start: usize, bits: u64) {
    mem[start..start + BYTES].copy_from_slice(&bits.to_le_bytes()[..BYTES]);
}

/// The bits of element `index` of the row that starts at byte `base`.
#[inline]
pub fn get_element(mem: &[u8], base: usize, index: usize, element: Element) -> u64 {
    match element.bits() {
        8 => u64::from(mem[base + index]),
        16 => read::<2>(mem, base + index * 2),
        32 => read::<4>(mem, base + index * 4),
        _ => read::<8>(mem, base + index * 8),
    }
}

/// Sets element `index` of the row that starts at byte `base` to the low bits of `bits`.
#[inline]
pub fn set_element(mem: &mut [u8], base: usize, index: usize, element: Element, bits: u64) {
    match element.bits() {
        8 => mem[base + index] = bits as u8,
        16 => write::<2>(mem, base + index * 2, bits),
        32 => write::<4>(mem, base + index * 4, bits),
        _ => write::<8>(mem, base + index * 8, bits),
    }
}

/// The bits of value `index` of the row that starts at byte `base`. A pair has two values, the first in its low half.
#[inline]
pub fn get_value(mem: &[u8], base: usize, index: usize, element: Element) -> u64 {
    if element.is_packed() {
        return u64::from(mem[base + index / 2] >> (index % 2 * 4) & 15);
    }
    get_element(mem, base, index, element)
}

/// Sets value `index` of the row that starts at byte `base`; the other value of a pair stays.
#[inline]
pub fn set_value(mem: &mut [u8], base: usize, index: usize, element: Element, bits: u64) {
    if !element.is_packed() {
        return set_element(mem, base, index, element, bits);
    }
    let (byte, shift) = (&mut mem[base + index / 2], index % 2 * 4);
    *byte = *byte & !(15 << shift) | ((bits & 15) as u8) << shift;
}

/// Elements of a row, from the first on: its index, and from each to the next.
type Indices = (usize, usize);

/// The bits of elements of a row that starts at byte `base`: from `first` on, each `step` elements behind the one before.
#[inline]
pub fn get_elements(mem: &[u8], base: usize, (first, step): Indices, element: Element, values: &mut [u64]) {
    if element.bits() != 32 {
        return get_others(mem, base, (first, step), element, values);
    }
    for (i, value) in values.iter_mut().enumerate() {
        *value = read::<4>(mem, base + (first + i * step) * 4);
    }
}

/// The same for elements that are not words: they find out anew for each how wide it is. Out of the way of those that are.
#[inline(never)]
fn get_others(mem: &[u8], base: usize, (first, step): Indices, element: Element, values: &mut [u64]) {
    for (i, value) in values.iter_mut().enumerate() {
        *value = get_element(mem, base, first + i * step, element);
    }
}

/// Sets such elements to the low bits of `values`.
#[inline]
pub fn set_elements(mem: &mut [u8], base: usize, (first, step): Indices, element: Element, values: &[u64]) {
    if element.bits() != 32 {
        return set_others(mem, base, (first, step), element, values);
    }
    for (i, value) in values.iter().enumerate() {
        write::<4>(mem, base + (first + i * step) * 4, *value);
    }
}

/// As [`get_others`].
#[inline(never)]
fn set_others(mem: &mut [u8], base: usize, (first, step): Indices, element: Element, values: &[u64]) {
    for (i, value) in values.iter().enumerate() {
        set_element(mem, base, first + i * step, element, *value);
    }
}

/// Copies the words that words are the numbers of: from byte `src` on, numbered by those from byte `indices` on, to byte `dst`
/// and so on. Ends before the first number that is not below `places`; gives how many are done.
pub fn gather_words(
    mem: &mut [u8],
    dst: usize,
    src: usize,
    indices: usize,
    count: usize,
    places: usize,
) -> usize {
    for i in 0..count {
        let place = read::<4>(mem, indices + i * 4) as usize;
        if place >= places {
            return i;
        }
        let word = read::<4>(mem, src + place * 4);
        write::<4>(mem, dst + i * 4, word);
    }
    count
}

#[cfg(test)]
mod tests;
