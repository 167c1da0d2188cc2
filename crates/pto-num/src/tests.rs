use crate::*;
use ::half::{bf16, f16};

/// f32 bits that cover every exponent, with mantissas around rounding boundaries of the narrower formats.
fn samples() -> impl Iterator<Item = u32> {
    let tails = [0u32, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x3000, 0x7fff, 0x8000, 0x8001, 0x18000, 0x7fffff];
    (0..512u32).flat_map(move |top| {
        tails.into_iter().flat_map(move |tail| (0..8).map(move |m| (top << 23) | ((m << 20) ^ tail)))
    })
}

#[test]
fn half_precision_agrees_with_the_half_crate() {
    for bits in 0..=u16::MAX {
        let ours = f16_to_f32(bits);
        let theirs = f16::from_bits(bits).to_f32();
        assert!(ours.is_nan() && theirs.is_nan() || ours.to_bits() == theirs.to_bits(), "{bits:04x}");
        let exact = Element::F16.decode(u64::from(bits));
        assert!(
            ours.is_nan() && exact.is_nan() || f64::from(ours).to_bits() == exact.to_bits(),
            "{bits:04x}"
        );
        let exact = Element::Bf16.decode(u64::from(bits));
        let ours = bf16_to_f32(bits);
        assert!(
            ours.is_nan() && exact.is_nan() || f64::from(ours).to_bits() == exact.to_bits(),
            "{bits:04x}"
        );
    }
    for bits in samples() {
        let value = f32::from_bits(bits);
        let (h, b) = (f16_from_f32(value), bf16_from_f32(value));
        if value.is_nan() {
            assert_eq!((h, b), (0x7e00, 0x7fc0));
        } else {
            assert_eq!(h, f16::from_f32(value).to_bits(), "{bits:08x}");
            assert_eq!(b, bf16::from_f32(value).to_bits(), "{bits:08x}");
        }
        let wide = f64::from(value);
        assert_eq!(
            u64::from(h),
            Element::F16.encode(wide, Rounding::NearestEven, Overflow::Ieee),
            "{bits:08x}"
        );
        assert_eq!(
            u64::from(b),
            Element::Bf16.encode(wide, Rounding::NearestEven, Overflow::Ieee),
            "{bits:08x}"
        );
    }
}

#[test]
fn every_narrow_code_survives_decode_and_encode() {
    for element in Element::ALL.into_iter().filter(|element| element.bits() <= 16) {
        for bits in 0..=element.value_mask() {
            let value = element.decode(bits);
            for rounding in Rounding::ALL {
                for overflow in [Overflow::Saturate, Overflow::Ieee] {
                    let back = element.encode(value, rounding, overflow);
                    if value.is_nan() {
                        assert_eq!(back, element.nan().unwrap());
                    } else if value.is_infinite() && overflow == Overflow::Saturate {
                        assert!(element.decode(back).is_finite());
                    } else {
                        assert_eq!(back, bits, "{element:?} {bits:x} {rounding:?}");
                    }
                }
            }
        }
    }
}

/// The reference: rounding by search among all finite values of a narrow format.
fn search(element: Element, value: f64, rounding: Rounding) -> Option<f64> {
    let finite = |bits| Some(element.decode(bits)).filter(|value| value.is_finite());
    let codes: Vec<(f64, u64)> =
        (0..=element.value_mask()).filter_map(|bits| Some((finite(bits)?, bits))).collect();
    let below = codes.iter().filter(|(v, _)| *v <= value).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let above = codes.iter().filter(|(v, _)| *v >= value).min_by(|a, b| a.0.total_cmp(&b.0))?;
    if below.0 == value {
        return Some(value);
    }
    let away = if value < 0.0 { below } else { above };
    let toward = if value < 0.0 { above } else { below };
    let nearest = |tie: &(f64, u64)| match (value - below.0).total_cmp(&(above.0 - value)) {
        std::cmp::Ordering::Less => below.0,
        std::cmp::Ordering::Greater => above.0,
        std::cmp::Ordering::Equal => tie.0,
    };
    Some(match rounding {
        Rounding::NearestEven => nearest(if below.1 % 2 == 0 { below } else { above }),
        Rounding::NearestAway => nearest(away),
        Rounding::Floor => below.0,
        Rounding::Ceil => above.0,
        Rounding::TowardZero => toward.0,
        Rounding::Odd => {
            if toward.1 % 2 == 1 {
                toward.0
            } else {
                away.0
            }
        }
    })
}

#[test]
fn encoding_of_small_floats_is_the_search_among_their_values() {
    for element in [Element::E4M3, Element::E5M2, Element::E2M1x2, Element::E1M2x2, Element::HiF8] {
        let mut values: Vec<f64> =
            (0..=element.value_mask()).map(|b| element.decode(b)).filter(|v| v.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        for pair in values.windows(2) {
            for weight in [0.001, 0.25, 0.499_999, 0.5, 0.500_001, 0.75, 0.999] {
                let value = pair[0] + (pair[1] - pair[0]) * weight;
                for rounding in Rounding::ALL {
                    let want = match element {
                        Element::HiF8 => search(element, value, Rounding::NearestAway),
                        _ => search(element, value, rounding),
                    };
                    let got = element.decode(element.encode(value, rounding, Overflow::Ieee));
                    assert_eq!(Some(got), want, "{element:?} {value:e} {rounding:?}");
                }
            }
        }
    }
}

#[test]
fn overflow_follows_the_mode() {
    use Overflow::{Ieee, Saturate};
    use Rounding::{Ceil, Floor, NearestEven, TowardZero};
    assert_eq!(Element::F16.encode(65519.0, NearestEven, Ieee), 0x7bff);
    assert_eq!(Element::F16.encode(65520.0, NearestEven, Ieee), 0x7c00);
    assert_eq!(Element::F16.encode(1e9, TowardZero, Ieee), 0x7bff);
    assert_eq!(Element::F16.encode(-1e300, Floor, Ieee), 0xfc00);
    assert_eq!(Element::F16.encode(-1e300, Ceil, Ieee), 0xfbff);
    assert_eq!(Element::F16.encode(f64::INFINITY, NearestEven, Saturate), 0x7bff);
    assert_eq!(Element::E4M3.encode(464.0, NearestEven, Ieee), 0x7e);
    assert_eq!(Element::E4M3.encode(465.0, NearestEven, Ieee), 0x7f);
    assert_eq!(Element::E4M3.encode(1e9, NearestEven, Saturate), 0x7e);
    assert_eq!(Element::E2M1x2.encode(1e9, NearestEven, Ieee), 7);
    assert_eq!(Element::F32.encode(f64::from(f32::MAX) * 2.0, NearestEven, Ieee), 0x7f80_0000);
    assert_eq!(Element::F32.encode(1e-320, Ceil, Ieee), 1);
    assert_eq!(Element::E8M0.encode(1.5, NearestEven, Ieee), 128);
    assert_eq!(Element::HiF8.encode(1.25 * 32768.0, NearestEven, Ieee), 0x6f);
    assert_eq!(Element::HiF8.encode(1.24 * 32768.0, NearestEven, Ieee), 0x6e);
    assert_eq!(Element::HiF8.encode(f64::NEG_INFINITY, NearestEven, Saturate), 0xee);
}

#[test]
fn hif8_examples_of_the_paper() {
    for (bits, value) in [
        (0x08, 1.0),
        (0x0c, 1.5),
        (0x10, 2.0),
        (0x14, 3.0),
        (0x18, 0.5),
        (0x1c, 0.75),
        (0x20, 4.0),
        (0x30, 0.25),
        (0x38, 0.125),
        (0x40, 16.0),
        (0x60, 256.0),
        (0x6e, 32768.0),
    ] {
        assert_eq!(Element::HiF8.decode(bits), value);
    }
    assert_eq!(Element::HiF8.decode(0x7e), power_of_two(-15));
    assert_eq!(Element::HiF8.decode(0x01), power_of_two(-22));
}

#[test]
fn the_first_value_of_a_pair_is_the_low_half() {
    let mut mem = [0u8; 4];
    set_value(&mut mem, 1, 0, Element::E2M1x2, 0x3);
    set_value(&mut mem, 1, 1, Element::E2M1x2, 0xa);
    assert_eq!(mem, [0, 0xa3, 0, 0]);
    assert_eq!(get_value(&mem, 1, 1, Element::E2M1x2), 0xa);
    assert_eq!(get_element(&mem, 1, 0, Element::E2M1x2), 0xa3);
    set_element(&mut mem, 0, 1, Element::I16, 0x1234);
    assert_eq!(get_element(&mem, 2, 0, Element::U16), 0x1234);
}

/// 13.2 fixpipe to hif8, e4m3: overflow, infinities and NaN as TCVT to that type.
#[test]
fn quantization_to_8_bit_floats_treats_the_extremes_as_a_conversion() {
    let one = crate::Parameter::scalar(u64::from(1f32.to_bits()));
    let quantized = |to: Element, value: f32| {
        crate::quantize_one(Element::F32, to, false, one, u64::from(value.to_bits())).expect("a quantization")
    };
    let values = [1e9, -1e9, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    assert_eq!(values.map(|value| quantized(Element::HiF8, value)), [0x6e, 0xee, 0x6f, 0xef, 0x80]);
    assert_eq!(values.map(|value| quantized(Element::E4M3, value)), [0x7e, 0xfe, 0x7e, 0xfe, 0x00]);
}
