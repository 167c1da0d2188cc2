use crate::testing::operands;
use pto_kernels::convert::*;
use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::{Element, Rounding, get_value, set_value};

#[test]
fn every_pair_is_the_conversion_of_one() {
    const COUNT: usize = 201;
    const DST: usize = COUNT * 8;
    for from in Element::ALL {
        let bits = operands(from, COUNT);
        let mut mem = vec![0u8; DST * 2];
        for (i, &bits) in bits.iter().enumerate() {
            set_value(&mut mem, 0, i, from, bits);
        }
        for (to, rounding) in Element::ALL.into_iter().flat_map(|to| Rounding::ALL.map(|r| (to, r))) {
            for saturate in [false, true] {
                for level in levels() {
                    let chosen = with_level(level, || convert(from, to, rounding, saturate));
                    let Some(conversion) = chosen else {
                        assert_eq!(convert_one(from, to, rounding, saturate, 0), None);
                        continue;
                    };
                    // Results of the previous level would hide elements that this one does not write.
                    mem[DST..].fill(0xa5);
                    conversion.run(&mut mem, DST, 0, COUNT);
                    for (i, &bits) in bits.iter().enumerate() {
                        let want = convert_one(from, to, rounding, saturate, bits).unwrap();
                        let got = get_value(&mem, DST, i, to);
                        assert_eq!(
                            got, want,
                            "{level:?} {from:?} {bits:x} to {to:?} {rounding:?} {saturate}"
                        );
                    }
                }
            }
        }
    }
}

fn from_f32(to: Element, rounding: Rounding, saturate: bool, value: f32) -> u64 {
    convert_one(Element::F32, to, rounding, saturate, u64::from(value.to_bits())).unwrap()
}

#[test]
fn values_of_the_manual() {
    use Element::{E2M1x2, F16, F32, HiF8, I8, I16, I32, U8};
    use Rounding::{Floor, NearestAway, NearestEven, Odd, TowardZero};
    assert_eq!(from_f32(U8, NearestEven, false, 300.0), 44);
    assert_eq!(from_f32(U8, NearestEven, true, 300.0), 255);
    assert_eq!(from_f32(I8, NearestEven, false, f32::INFINITY), 0xff);
    assert_eq!(from_f32(I8, NearestEven, false, f32::NEG_INFINITY), 0);
    assert_eq!(from_f32(I16, NearestEven, false, 1e10), 0xffff);
    assert_eq!(from_f32(I32, NearestEven, true, f32::NAN), 0);
    assert_eq!(from_f32(I32, TowardZero, true, -3e9), 0x8000_0000);
    assert_eq!(from_f32(I8, NearestAway, true, 0.499_999_97), 0);
    assert_eq!(from_f32(I8, NearestAway, true, -2.5), 0xfd);
    assert_eq!(from_f32(F16, Odd, false, 1.0 + 1.0 / 8192.0), 0x3c01);
    assert_eq!(from_f32(F16, NearestEven, true, f32::INFINITY), 0x7bff);
    assert_eq!(from_f32(HiF8, Floor, false, 1.0625), 0x09);
    assert_eq!(from_f32(F32, Floor, false, -1.5), u64::from((-2f32).to_bits()));
    assert_eq!(convert_one(Element::Bf16, E2M1x2, Floor, false, 0x40e0), Some(7));
    let large = (1i64 << 60) + (1 << 36) + 1;
    let as_f32 = convert_one(Element::I64, F32, NearestEven, false, large as u64);
    assert_eq!(as_f32, Some(u64::from((large as f32).to_bits())));
}

/// The result of a partial overlap is unspecified, but it neither panics nor writes outside the buffer.
#[test]
fn overlapping_places_stop_nothing() {
    for level in levels() {
        let conversion =
            with_level(level, || convert(Element::F32, Element::F16, Rounding::NearestEven, true));
        let mut mem = [0u8; 512];
        for (dst, src) in [(0, 0), (8, 0), (0, 8), (100, 40)] {
            conversion.unwrap().run(&mut mem, dst, src, 100);
        }
    }
}
