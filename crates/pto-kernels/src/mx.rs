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
