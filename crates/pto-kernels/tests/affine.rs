use crate::testing::operands;
use pto_kernels::Element;
use pto_kernels::affine::*;
use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::{get_element, set_element};

const COUNT: usize = 333;
const PARAMETERS: [(f32, Option<f32>); 7] = [
    (1.0, None),
    (-0.5, None),
    (0.5, Some(-0.0)),
    (3.7, Some(128.0)),
    (1e30, Some(-1e30)),
    (f32::NAN, None),
    (0.0, Some(f32::INFINITY)),
];

/// Compares a kernel with the formula, for operands of `from` and results of `to`.
fn check(from: Element, to: Element, kernel: fn() -> AffineFn, want: impl Fn(Affine, u64) -> u64) {
    let integers = if from == Element::F32 { to } else { from };
    let bits = operands(from, COUNT);
    let mut mem = vec![0xaa; COUNT * 8 + 4];
    for (i, bits) in bits.iter().enumerate() {
        set_element(&mut mem, 0, i, from, *bits);
    }
    for (level, (scale, offset)) in levels().flat_map(|level| PARAMETERS.map(|pair| (level, pair))) {
        let affine = Affine { scale, offset };
        for count in [0, 1, 64, COUNT] {
            let (mut out, mut expected) = (mem.clone(), mem.clone());
            with_level(level, kernel)(&mut out, integers, 0, COUNT * 4, count, affine);
            for (i, bits) in bits[..count].iter().enumerate() {
                set_element(&mut expected, COUNT * 4, i, to, want(affine, *bits));
                let got = get_element(&out, COUNT * 4, i, to);
                assert_eq!(got, want(affine, *bits), "{level:?} {from:?} {bits:x} to {to:?} {affine:?}");
            }
            assert!(out == expected, "writes nothing else");
        }
    }
}

#[test]
fn kernels_agree_with_the_formulas() {
    for to in [Element::I8, Element::U8] {
        let signed = to == Element::I8;
        check(Element::F32, to, quantize, |affine, bits| {
            u64::from(affine.quantize(f32::from_bits(bits as u32), signed))
        });
    }
    for from in [Element::I8, Element::I16] {
        check(from, Element::F32, dequantize, |affine, bits| {
            u64::from(affine.dequantize(from.decode_int(bits) as i32))
        });
    }
}

#[test]
fn ties_go_to_even_and_results_saturate() {
    let half = Affine { scale: 0.5, offset: None };
    let values = [1.0, 3.0, -1.0, 1000.0, -1000.0, f32::NAN, f32::INFINITY];
    assert_eq!(values.map(|x| half.quantize(x, true) as i8), [0, 2, 0, 127, -128, 0, 127]);
    let moved = Affine { scale: 1.0, offset: Some(128.0) };
    assert_eq!([-200.0, 0.5, 200.0].map(|x| moved.quantize(x, false)), [0, 128, 255]);
    assert_eq!(f32::from_bits(moved.dequantize(130)), 2.0);
}
