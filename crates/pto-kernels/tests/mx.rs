use crate::testing::{operands, random};
use pto_kernels::dispatch::{levels, with_level};
use pto_kernels::mx::*;
use pto_kernels::set_element;
use pto_kernels::{Element, set_value};

const OCP: Mx = Mx { source: Element::F32, target: Element::E4M3, rule: ScaleRule::Ocp };
const NV: Mx = Mx { rule: ScaleRule::Nv, ..OCP };

fn of(mx: Mx, x: f32) -> (u8, f32) {
    let exponent = mx.exponent(mx.magnitude(u64::from(x.to_bits())));
    (exponent, f32::from_bits(mx.scaling(exponent) as u32))
}

#[test]
fn exponents_follow_the_greatest_magnitude() {
    assert_eq!(of(OCP, -3.0), (120, 128.0));
    assert_eq!(of(NV, 448.0), (127, 1.0));
    assert_eq!(of(NV, 449.0), (128, 0.5));
    assert_eq!(of(OCP, 0.0), (0, 2f32.powi(127)));
    assert_eq!(of(OCP, f32::INFINITY), (0xf7, f32::from_bits(7 << 23)));
    assert_eq!(of(NV, f32::INFINITY), (0xfe, f32::from_bits(0x40_0000)));
    assert!(of(OCP, f32::NAN).0 == 0xff && of(OCP, f32::NAN).1.is_nan());
}

#[test]
fn codes_round_to_even_and_saturate() {
    let one = u64::from(1f32.to_bits());
    let code = |mx: Mx, x: f32| mx.code(u64::from(x.to_bits()), one);
    assert_eq!([1.0, 500.0, -500.0, f32::NAN].map(|x| code(OCP, x)), [0x38, 0x7e, 0xfe, 0x7f]);
    let fp4 = Mx { target: Element::E2M1x2, ..OCP };
    assert_eq!([0.25, 0.75, 2.5, 9.0, -9.0, f32::NAN].map(|x| code(fp4, x)), [0, 2, 4, 7, 15, 7]);
}

#[test]
fn groups_are_quantized_by_the_formulas() {
    let mut state = 3;
    for (source, target) in [Element::F32, Element::F16, Element::Bf16]
        .into_iter()
        .flat_map(|source| [Element::E4M3, Element::E2M1x2].map(|target| (source, target)))
    {
        let bits = operands(source, 40 * GROUP);
        for (round, rule) in (0..200).flat_map(|round| [(round, ScaleRule::Ocp), (round, ScaleRule::Nv)]) {
            let (mx, count, step) = (Mx { source, target, rule }, 1 + round % GROUP, 1 + round % 3);
            let mut mem = vec![0xa5; 1024];
            let (from, to) = (Run { start: 512, first: 3, step }, Run { start: 16, first: 5, step });
            let own: Vec<u64> = (0..count).map(|_| bits[random(&mut state) as usize % bits.len()]).collect();
            for (k, bits) in own.iter().enumerate() {
                set_element(&mut mem, from.start, from.first + k * step, source, *bits);
            }
            let written = if target == Element::E4M3 { Element::U8 } else { target };
            let magnitude = own.iter().map(|bits| mx.magnitude(*bits)).max().unwrap();
            let exponent = mx.exponent(magnitude);
            let group = Group { magnitude, exponent, scaling: mx.scaling(exponent) };
            let mut want = mem.clone();
            for (k, bits) in own.iter().enumerate() {
                let code = mx.code(*bits, group.scaling);
                set_value(&mut want, to.start, to.first + k * step, written, code);
            }
            for level in levels() {
                let mut got = mem.clone();
                let found = with_level(level, || quantize_group(&mut got, mx, count, from, (to, written)));
                assert_eq!(found, group, "{level:?} {mx:?} {own:x?}");
                assert!(got == want, "{level:?} {mx:?} {own:x?}");
            }
        }
    }
}
