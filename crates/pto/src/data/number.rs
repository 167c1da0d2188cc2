//! Values of arrays as numbers: the codecs of `pto-num`, with one rounding mode for all formats.

use pto_num::{Element, Overflow, Rounding};
use std::sync::OnceLock;

/// The value of an element from the low bits of `bits`. 64-bit integers round to f64.
pub fn decode(element: Element, bits: u64) -> f64 {
    element.decode(bits)
}

/// The bits of the nearest value to `value`, ties to even.
///
/// Overflow gives infinity if the format has one, else the largest finite value, except that integers are truncated
/// toward zero and saturate. NaN becomes the quiet NaN of the format, or zero.
pub fn encode(element: Element, value: f64) -> u64 {
    let rounding = if element.holds_integers() { Rounding::TowardZero } else { Rounding::NearestEven };
    let infinite =
        matches!(element, Element::F32 | Element::F16 | Element::Bf16 | Element::E5M2 | Element::HiF8);
    element.encode(value, rounding, if infinite { Overflow::Ieee } else { Overflow::Saturate })
}

/// Position of the element among all values of its format: neighbours differ by one, both zeros are 0.
///
/// The difference of two ordinals is their distance in units in the last place. Infinity is the neighbour of the
/// largest finite value. Meaningless for NaN.
pub fn ordinal(element: Element, bits: u64) -> i128 {
    match element {
        Element::E8M0 => i128::from(bits),
        Element::HiF8 => hif8_ordinals()[usize::from(bits as u8)].into(),
        _ if element.holds_integers() => element.decode_int(bits),
        _ => {
            let sign = 1u64 << (element.value_bits() - 1);
            let magnitude = i128::from(bits & (sign - 1));
            if bits & sign != 0 { -magnitude } else { magnitude }
        }
    }
}

/// The ordinals of HiFloat8, whose codes are not in order of value.
fn hif8_ordinals() -> &'static [i16; 256] {
    static ORDINALS: OnceLock<[i16; 256]> = OnceLock::new();
    ORDINALS.get_or_init(|| {
        let values: [f64; 128] = std::array::from_fn(|code| Element::HiF8.decode(code as u64));
        std::array::from_fn(|code| {
            let value = Element::HiF8.decode(code as u64);
            let rank = values.iter().filter(|other| **other < value.abs()).count() as i16;
            if value < 0.0 { -rank } else { rank }
        })
    })
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
