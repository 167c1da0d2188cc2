//! Bits to numbers and back. To be replaced by `Element::decode` and `Element::encode` of `pto-kernels`.

use crate::Element;
use std::sync::OnceLock;

/// The value of the element whose bits are the low bits of `bits`. Integers of 64 bits round to f64.
pub(crate) fn decode(element: Element, bits: u64) -> f64 {
    match element {
        Element::U8 | Element::U16 | Element::U32 | Element::U64 => bits as f64,
        Element::I8 => f64::from(bits as i8),
        Element::I16 => f64::from(bits as i16),
        Element::I32 => f64::from(bits as i32),
        Element::I64 => bits as i64 as f64,
        Element::F32 => f64::from(f32::from_bits(bits as u32)),
        Element::Bf16 => f64::from(f32::from_bits((bits as u32) << 16)),
        Element::F16 => ieee(bits, 5, 10),
        Element::E5M2 => ieee(bits, 5, 2),
        Element::E4M3 if bits & 0x7f == 0x7f => f64::NAN,
        Element::E4M3 => finite(bits, 4, 3, 7),
        Element::E2M1x2 => finite(bits, 2, 1, 1),
        Element::E1M2x2 => finite(bits, 1, 2, 1),
        Element::E8M0 if bits & 0xff == 0xff => f64::NAN,
        Element::E8M0 => power((bits & 0xff) as i32 - 127),
        Element::HiF8 => hif8(bits as u8),
    }
}

/// The bits of the nearest value to `value`, ties to even.
///
/// Out of range becomes infinity where the format has one, else the largest finite value, except that
/// integers are truncated toward zero and saturate. NaN becomes the quiet NaN of the format, or zero.
pub(crate) fn encode(element: Element, value: f64) -> u64 {
    match element {
        Element::I8 => u64::from(value as i8 as u8),
        Element::I16 => u64::from(value as i16 as u16),
        Element::I32 => u64::from(value as i32 as u32),
        Element::I64 => value as i64 as u64,
        Element::U8 => u64::from(value as u8),
        Element::U16 => u64::from(value as u16),
        Element::U32 => u64::from(value as u32),
        Element::U64 => value as u64,
        Element::F32 if value.is_nan() => 0x7fc0_0000,
        Element::F32 => u64::from((value as f32).to_bits()),
        Element::F16 => narrow(value, 5, 10),
        Element::Bf16 => narrow(value, 8, 7),
        _ => encode_small(element, value),
    }
}

/// Where the element stands among all values of its format: neighbours differ by one, both zeros are 0.
///
/// The difference of two ordinals is the distance in units of the last place. Infinity is the neighbour of
/// the largest finite value. Meaningless for NaN.
pub(crate) fn ordinal(element: Element, bits: u64) -> i128 {
    match element {
        Element::I8 => i128::from(bits as i8),
        Element::I16 => i128::from(bits as i16),
        Element::I32 => i128::from(bits as i32),
        Element::I64 => i128::from(bits as i64),
        Element::U8 | Element::U16 | Element::U32 | Element::U64 | Element::E8M0 => i128::from(bits),
        // Codes of HiFloat8 are not in the order of their values.
        Element::HiF8 => {
            let value = hif8(bits as u8);
            let rank = small_values(element).partition_point(|&(v, _)| v < value.abs()) as i128;
            if value < 0.0 { -rank } else { rank }
        }
        _ => {
            let sign = 1u64 << (element.value_bits() - 1);
            let magnitude = i128::from(bits & (sign - 1));
            if bits & sign != 0 { -magnitude } else { magnitude }
        }
    }
}

/// 2 to the `exponent`, exact for every normal f64.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// Sign, exponent, mantissa, no special values.
fn finite(bits: u64, exponent_bits: u32, mantissa_bits: u32, bias: i32) -> f64 {
    let mantissa = (bits & ((1 << mantissa_bits) - 1)) as f64;
    let exponent = ((bits >> mantissa_bits) & ((1 << exponent_bits) - 1)) as i32;
    let implicit = if exponent == 0 { 0.0 } else { power(mantissa_bits as i32) };
    let magnitude = (implicit + mantissa) * power(exponent.max(1) - bias - mantissa_bits as i32);
    if (bits >> (exponent_bits + mantissa_bits)) & 1 == 1 { -magnitude } else { magnitude }
}

/// As IEEE 754: the highest exponent is infinity and NaN.
fn ieee(bits: u64, exponent_bits: u32, mantissa_bits: u32) -> f64 {
    let exponent_mask = (1 << exponent_bits) - 1;
    if (bits >> mantissa_bits) & exponent_mask != exponent_mask {
        return finite(bits, exponent_bits, mantissa_bits, (1 << (exponent_bits - 1)) - 1);
    }
    if bits & ((1 << mantissa_bits) - 1) != 0 {
        return f64::NAN;
    }
    if (bits >> (exponent_bits + mantissa_bits)) & 1 == 1 { f64::NEG_INFINITY } else { f64::INFINITY }
}

/// HiFloat8: the position of the first ones says how the rest divides into exponent and mantissa.
fn hif8(code: u8) -> f64 {
    let low = u32::from(code & 0x7f);
    let magnitude = match (code, low) {
        (0x80, _) => return f64::NAN,
        (_, 0x6f) => f64::INFINITY,
        (_, 0..8) => {
            if low == 0 {
                return 0.0;
            }
            power(low as i32 - 23)
        }
        _ => {
            let (exponent_bits, mantissa_bits) = match low {
                0x60.. => (4, 1),
                0x40.. => (3, 2),
                0x20.. => (2, 3),
                0x10.. => (1, 3),
                _ => (0, 3),
            };
            let mantissa = low & ((1 << mantissa_bits) - 1);
            let field = (low >> mantissa_bits) & ((1 << exponent_bits) - 1);
            let exponent = if exponent_bits == 0 {
                0
            } else {
                let half = 1 << (exponent_bits - 1);
                let magnitude = (half + (field & (half - 1))) as i32;
                if field & half != 0 { -magnitude } else { magnitude }
            };
            power(exponent) * (1.0 + f64::from(mantissa) * power(-mantissa_bits))
        }
    };
    if code & 0x80 != 0 { -magnitude } else { magnitude }
}

/// Rounds to an IEEE format of 16 bits once, in integers.
///
/// `half` goes through f32 on some hosts and then rounds twice.
fn narrow(value: f64, exponent_bits: u32, mantissa_bits: u32) -> u64 {
    let bits = value.to_bits();
    let sign = (bits >> 63) << (exponent_bits + mantissa_bits);
    let infinity = ((1u64 << exponent_bits) - 1) << mantissa_bits;
    if value.is_nan() {
        return infinity | (1 << (mantissa_bits - 1));
    }
    let bias = (1i64 << (exponent_bits - 1)) - 1;
    let exponent = ((bits >> 52) & 0x7ff) as i64 - 1023;
    let exponent_field = exponent + bias;
    let mantissa = (bits & ((1 << 52) - 1)) | (1 << 52);
    // Below the normal range the last place stays that of exponent field 1.
    let drop = 52 - i64::from(mantissa_bits) + (1 - exponent_field).max(0);
    if drop > 53 {
        return sign;
    }
    let kept = mantissa >> drop;
    let rest = mantissa & ((1 << drop) - 1);
    let half = 1u64 << (drop - 1);
    let up = u64::from(rest > half || (rest == half && kept & 1 == 1));
    // The implicit one of `kept` carries into the exponent field by itself.
    let code = if exponent_field >= 1 {
        if exponent_field as u64 >= 1 << exponent_bits {
            return sign | infinity;
        }
        (((exponent_field - 1) as u64) << mantissa_bits) + kept + up
    } else {
        kept + up
    };
    sign | code.min(infinity)
}

/// The nonnegative values of a format of at most 8 bits with their codes, ascending.
fn small_values(element: Element) -> &'static [(f64, u8)] {
    static TABLES: [OnceLock<Vec<(f64, u8)>>; 6] = [const { OnceLock::new() }; 6];
    let slot = match element {
        Element::HiF8 => 0,
        Element::E4M3 => 1,
        Element::E5M2 => 2,
        Element::E8M0 => 3,
        Element::E2M1x2 => 4,
        _ => 5,
    };
    TABLES[slot].get_or_init(|| {
        let codes = if element == Element::E8M0 { 255 } else { 1u16 << (element.value_bits() - 1) };
        let mut table: Vec<(f64, u8)> = (0..codes)
            .map(|code| (decode(element, u64::from(code)), code as u8))
            .filter(|(value, _)| !value.is_nan())
            .collect();
        table.sort_by(|a, b| a.0.total_cmp(&b.0));
        table
    })
}

fn encode_small(element: Element, value: f64) -> u64 {
    if value.is_nan() {
        return match element {
            Element::HiF8 => 0x80,
            Element::E4M3 => 0x7f,
            Element::E5M2 => 0x7e,
            Element::E8M0 => 0xff,
            _ => 0,
        };
    }
    let table = small_values(element);
    let magnitude = if element == Element::E8M0 { value.max(0.0) } else { value.abs() };
    let above = table.partition_point(|&(v, _)| v < magnitude);
    let code = if above == 0 {
        table[0].1
    } else if above == table.len() {
        table[above - 1].1
    } else {
        let ((low, low_code), (high, high_code)) = (table[above - 1], table[above]);
        // The place where infinity would be if the format went on.
        let high = match element {
            _ if high.is_finite() => high,
            Element::HiF8 => 1.5 * low,
            _ => low + (low - table[above - 2].0),
        };
        match (magnitude - low).total_cmp(&(high - magnitude)) {
            std::cmp::Ordering::Less => low_code,
            std::cmp::Ordering::Greater => high_code,
            std::cmp::Ordering::Equal if element == Element::HiF8 => high_code,
            std::cmp::Ordering::Equal if low_code & 1 == 0 => low_code,
            std::cmp::Ordering::Equal => high_code,
        }
    };
    let negative =
        value.is_sign_negative() && element != Element::E8M0 && !(element == Element::HiF8 && code == 0);
    u64::from(code) | if negative { 1 << (element.value_bits() - 1) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_codes() {
        let cases = [
            (Element::HiF8, 0x08, 1.0),
            (Element::HiF8, 0x0c, 1.5),
            (Element::HiF8, 0x18, 0.5),
            (Element::HiF8, 0x60, 256.0),
            (Element::HiF8, 0x6e, 32768.0),
            (Element::HiF8, 0x7e, 2f64.powi(-15)),
            (Element::HiF8, 0x01, 2f64.powi(-22)),
            (Element::E4M3, 0x7e, 448.0),
            (Element::E4M3, 0x01, 2f64.powi(-9)),
            (Element::E5M2, 0x7b, 57344.0),
            (Element::E8M0, 127, 1.0),
            (Element::E2M1x2, 7, 6.0),
            (Element::E2M1x2, 1, 0.5),
            (Element::E1M2x2, 7, 1.75),
            (Element::F16, 0x7bff, 65504.0),
            (Element::Bf16, 0x3fa1, 1.2578125),
        ];
        for (element, code, value) in cases {
            assert_eq!(decode(element, code), value, "{element:?} {code:#x}");
        }
    }

    #[test]
    fn every_code_of_at_most_16_bits_reads_back() {
        for element in Element::ALL.into_iter().filter(|e| e.bits() <= 16) {
            for code in 0..1u64 << element.value_bits() {
                let value = decode(element, code);
                if !value.is_nan() {
                    assert_eq!(encode(element, value), code, "{element:?} {code:#x} {value}");
                }
            }
        }
    }

    #[test]
    fn narrowing_rounds_once() {
        // Just above a tie of f16, but on the tie after rounding to f32.
        assert_eq!(encode(Element::F16, 1.0 + 2f64.powi(-11) + 2f64.powi(-40)), 0x3c01);
        assert_eq!(encode(Element::F16, 1.0 + 2f64.powi(-11)), 0x3c00);
        assert_eq!(encode(Element::F16, 65519.9), 0x7bff);
        assert_eq!(encode(Element::F16, 65520.0), 0x7c00);
        assert_eq!(encode(Element::F16, 1e300), 0x7c00);
        assert_eq!(encode(Element::F16, 1e-300), 0);
        assert_eq!(encode(Element::F16, 2f64.powi(-25) * 1.01), 1);
        assert_eq!(encode(Element::Bf16, -0.0), 0x8000);
        assert_eq!(encode(Element::E4M3, 1e9), 0x7e);
        assert_eq!(encode(Element::E5M2, f64::INFINITY), 0x7c);
        assert_eq!(encode(Element::E5M2, 61439.0), 0x7b);
        assert_eq!(encode(Element::E5M2, 61440.0), 0x7c);
        assert_eq!(encode(Element::HiF8, 40959.0), 0x6e);
        assert_eq!(encode(Element::HiF8, 40960.0), 0x6f);
    }

    #[test]
    fn neighbours_are_one_apart() {
        assert_eq!(ordinal(Element::HiF8, 0x10) - ordinal(Element::HiF8, 0x0f), 1);
        assert_eq!(ordinal(Element::HiF8, 0x08) - ordinal(Element::HiF8, 0x1f), 1);
        assert_eq!(ordinal(Element::F32, 0x8000_0000), ordinal(Element::F32, 0));
        assert_eq!(ordinal(Element::I8, 0xff), -1);
        assert_eq!(ordinal(Element::E5M2, 0x7c) - ordinal(Element::E5M2, 0x7b), 1);
    }
}
