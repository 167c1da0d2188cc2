//! MX quantization: groups of elements that share a power of two.
//!
//! The largest magnitude of a group determines its exponent and the factor of its elements; the products are rounded to
//! an 8-bit or 4-bit float. Source: `docs/isa/TQUANT.md`, `include/pto/npu/a5/TQuant.hpp`.

pub use pto_num::{Mx, ScaleRule, sizes::GROUP};

use crate::convert::small_floats::{e2m1, e4m3};
use crate::dispatch::{Features, multiversion};
use crate::number::{F16, Number};
use crate::{Element, get_element, set_value};

/// Results that the elements of a group share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Largest magnitude of the group, as bits of the source format.
    pub magnitude: u64,
    /// Exponent of the group, as stored.
    pub exponent: u8,
    /// Factor of the elements, as bits of the source format.
    pub scaling: u64,
}

/// Placement of the values of a group: a base byte, the first value, and a stride in values.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Byte offset of value 0.
    pub start: usize,
    /// Index of the first value of the group.
    pub first: usize,
    /// Values from one of the group to the next.
    pub step: usize,
}

/// Quantizes a group of up to [`GROUP`] elements, to elements of the width of the quantization's target format.
pub fn quantize_group(mem: &mut [u8], mx: Mx, count: usize, from: Run, to: (Run, Element)) -> Group {
    let mut elements = [0; GROUP];
    let elements = &mut elements[..count.min(GROUP)];
    load(mem, mx.source, from, elements);
    let mut codes = [0; GROUP];
    let group = select_group::<Quantize>()(mx, elements, &mut codes);
    store(mem, to.1, to.0, &codes[..elements.len()]);
    group
}

/// Reads the bits of elements.
fn load(mem: &[u8], element: Element, from: Run, bits: &mut [u32]) {
    let place = |k: usize| from.first + k * from.step;
    if from.step != 1 {
        bits.iter_mut()
            .enumerate()
            .for_each(|(k, bits)| *bits = get_element(mem, from.start, place(k), element) as u32);
        return;
    }
    let bytes = &mem[from.start + element.bytes(from.first)..][..element.bytes(bits.len())];
    if element == Element::F32 {
        bits.iter_mut().zip(bytes.as_chunks().0).for_each(|(bits, bytes)| *bits = u32::from_le_bytes(*bytes));
    } else {
        let halves = bytes.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes));
        bits.iter_mut().zip(halves).for_each(|(bits, half)| *bits = u32::from(half));
    }
}

/// Writes codes as elements.
fn store(mem: &mut [u8], element: Element, to: Run, codes: &[u8]) {
    if to.step == 1 && !element.is_packed() {
        mem[to.start + to.first..][..codes.len()].copy_from_slice(codes);
        return;
    }
    for (k, code) in codes.iter().enumerate() {
        set_value(mem, to.start, to.first + k * to.step, element, u64::from(*code));
    }
}

multiversion!(GroupBody, select_group, fn(mx: Mx, elements: &[u32], codes: &mut [u8; GROUP]) -> Group);

/// Quantizes a group by the formulas of [`Mx`], all elements at a time.
struct Quantize;

impl GroupBody for Quantize {
    #[inline(always)]
    fn run<F: Features>(mx: Mx, elements: &[u32], codes: &mut [u8; GROUP]) -> Group {
        let mut bits = [0; GROUP];
        bits[..elements.len()].copy_from_slice(elements);
        let mut values = [0f32; GROUP];
        match mx.source {
            Element::F32 => values = bits.map(f32::from_bits),
            Element::F16 => {
                F16::read_all::<F>(bits.map(|half| (half as u16).to_le_bytes()).as_flattened(), &mut values)
            }
            _ => values = bits.map(|half| f32::from_bits(half << 16)),
        }
        let magnitude = match (mx.source, mx.rule) {
            (Element::F16, ScaleRule::Ocp) => {
                let cut = |value: f32| if value.is_nan() { 0x7fc0 } else { value.abs().to_bits() >> 16 };
                values.map(cut).into_iter().fold(0, u32::max)
            }
            (source, _) => {
                let mask = if source == Element::F32 { 0x7fff_ffff } else { 0x7fff };
                bits.iter().fold(0, |most, bits| most.max(bits & mask))
            }
        };
        let exponent = mx.exponent(u64::from(magnitude));
        let scaling = mx.scaling(exponent);
        let scale = f32::from_bits(if mx.source == Element::F32 { scaling } else { scaling << 16 } as u32);
        let scaled = values.map(|value| value * scale);
        *codes = if mx.target == Element::E4M3 {
            scaled.map(|value| e4m3(value, true))
        } else {
            scaled.map(|value| if value.is_nan() { 7 } else { e2m1(value, true) })
        };
        Group { magnitude: u64::from(magnitude), exponent, scaling }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::{levels, with_level};
    use crate::set_element;
    use crate::testing::{operands, random};

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
            for (round, rule) in (0..200).flat_map(|round| [(round, ScaleRule::Ocp), (round, ScaleRule::Nv)])
            {
                let (mx, count, step) = (Mx { source, target, rule }, 1 + round % GROUP, 1 + round % 3);
                let mut mem = vec![0xa5; 1024];
                let (from, to) = (Run { start: 512, first: 3, step }, Run { start: 16, first: 5, step });
                let own: Vec<u64> =
                    (0..count).map(|_| bits[random(&mut state) as usize % bits.len()]).collect();
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
                    let found =
                        with_level(level, || quantize_group(&mut got, mx, count, from, (to, written)));
                    assert_eq!(found, group, "{level:?} {mx:?} {own:x?}");
                    assert!(got == want, "{level:?} {mx:?} {own:x?}");
                }
            }
        }
    }
}
