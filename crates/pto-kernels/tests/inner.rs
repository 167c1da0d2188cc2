//! Parts of conversions and remainders, each compared with what it stands for.

use pto_kernels::{Element, Rounding, convert_one, inner};
use pto_num::random::next as random;

const MODES: [Rounding; 4] = [Rounding::NearestAway, Rounding::Floor, Rounding::Ceil, Rounding::TowardZero];

#[test]
fn integers_are_rounded_as_one_by_one() {
    let mut state = 5;
    let edges = [0, 1, -1, 1 << 24, (1 << 24) + 1, -(1 << 24) - 1, i32::MAX, i32::MIN, i32::MIN + 1];
    let any = (0..200_000).map(|_| random(&mut state));
    let any = any.map(|bits| bits as i32 >> (bits >> 32 & 15)).collect::<Vec<_>>();
    for rounding in MODES {
        for value in edges.into_iter().chain(any.iter().copied()) {
            let bits = u64::from(value as u32);
            let want = convert_one(Element::I32, Element::F32, rounding, false, bits).expect("a pair");
            assert_eq!(
                u64::from(inner::integer_to_f32(value, rounding).expect("a mode").to_bits()),
                want,
                "{value} {rounding:?}"
            );
        }
    }
}

#[test]
fn floats_are_rounded_as_one_by_one() {
    let mut state = 9;
    let edges = [0x477f_e000u32, 0x477f_efff, 0x477f_f000, 0x4780_0000, 0x7f7f_ffff, 0x7f80_0000, 0, 1];
    let edges = edges.into_iter().chain([0x3380_0000, 0x3300_0000, 0x32ff_ffff, 0x387f_ffff]);
    let any = (0..100_000).map(|_| random(&mut state) as u32);
    // The f16 values, and the midpoints between them.
    let near = (0..0x7c00u32).map(|half| (half << 13) + ((127 - 15) << 23));
    let near = near.flat_map(|bits| [bits, bits + 0x1000, bits + 0xfff, bits + 0x1001]);
    let all: Vec<u32> = edges.chain(any).chain(near).flat_map(|bits| [bits, bits | 1 << 31]).collect();
    for (rounding, bits) in MODES.into_iter().flat_map(|mode| all.iter().map(move |bits| (mode, *bits))) {
        let want = convert_one(Element::F32, Element::F16, rounding, false, u64::from(bits));
        let value = inner::round_to_f16(f32::from_bits(bits), rounding);
        let found =
            convert_one(Element::F32, Element::F16, Rounding::NearestEven, false, u64::from(value.to_bits()));
        assert_eq!(found, want, "{bits:x} {rounding:?}");
    }
}

/// Pairs whose quotients are next to integers, and next to the largest small quotient.
#[test]
fn small_quotients_give_the_exact_remainder() {
    let mut state = 11;
    for _ in 0..2_000_000 {
        let bits = random(&mut state);
        let divisor = f32::from_bits(bits as u32);
        let near = divisor * (bits >> 32 & 0x7fff_ffff) as f32;
        let step = random(&mut state) as i32 % 3;
        for dividend in [near, f32::from_bits((near.to_bits() as i32).wrapping_add(step) as u32)] {
            let (rest, large) = inner::small_remainder(dividend, divisor);
            let want = dividend % divisor;
            let same = rest.to_bits() == want.to_bits() || rest.is_nan() && want.is_nan();
            assert!(large || same, "{dividend:e} % {divisor:e} = {want:e}, not {rest:e}");
        }
    }
}

#[test]
fn infinities_and_zeros() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    for a in [0.0, -0.0, 1.0, -1.0, inf, -inf, nan, f32::MAX, 1e-45, -1e-45] {
        for b in [0.0, -0.0, 1.0, -1.0, inf, -inf, nan, f32::MAX, 1e-45, -1e-45] {
            let ((rest, large), want): (_, f32) = (inner::small_remainder(a, b), a % b);
            let same = rest.to_bits() == want.to_bits() || rest.is_nan() && want.is_nan();
            assert!(large || same, "{a:e} % {b:e} = {want:e}, not {rest:e}");
        }
    }
}

#[test]
fn an_integer_of_any_float_is_that_of_the_cast() {
    let edges =
        [0x4eff_ffffu32, 0x4f00_0000, 0x4f00_0001, 0x7f7f_ffff, 0x7f80_0000, 0x7f80_0001, 0x7fc0_0000];
    let steps = (0..=u32::MAX / 9973).map(|step| step * 9973);
    for bits in edges.into_iter().chain(steps).flat_map(|bits| [bits, bits | 1 << 31]) {
        let value = f32::from_bits(bits);
        assert_eq!(inner::to_i32(value), value as i32, "{bits:x}");
    }
}
