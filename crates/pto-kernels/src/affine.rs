//! Affine quantization: f32 to 8-bit integers and back, with a scale and an offset.

use crate::Element;
use crate::aligned::Aligned;
use crate::dispatch::{Features, each_chunk, multiversion};
use crate::number::{canonical_bits, to_i32};

/// A scale and an optional offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    /// Factor of an element.
    pub scale: f32,
    /// Added after scaling in a quantization, subtracted before scaling in its inverse.
    pub offset: Option<f32>,
}

impl Affine {
    /// `x * scale + offset`, each step rounded, then to the nearest integer (ties to even) within the format; 0 for NaN.
    #[inline(always)]
    pub fn quantize(self, x: f32, signed: bool) -> u8 {
        let scaled = x * self.scale;
        let moved = self.offset.map_or(scaled, |offset| scaled + offset).round_ties_even();
        // The conversion maps NaN to 0 and saturates.
        if signed { (moved as i8) as u8 } else { moved as u8 }
    }

    /// `(q - offset) * scale`, each step rounded; the bits of an f32.
    #[inline(always)]
    pub fn dequantize(self, q: i32) -> u32 {
        let moved = q as f32 - self.offset.unwrap_or(0.0);
        canonical_bits(moved * self.scale)
    }
}

multiversion!(
    AffineBody,
    select_affine,
    fn(mem: &mut [u8], element: Element, src: usize, dst: usize, count: usize, affine: Affine)
);

struct Quantize;
struct Dequantize;

/// Elements of a chunk.
const CHUNK: usize = 64;

/// A kernel of a row: buffer, format of the integers, byte offsets of source and destination, elements, parameters.
pub type AffineFn = fn(&mut [u8], Element, usize, usize, usize, Affine);

/// The loop that quantizes f32 to i8 or u8 as [`Affine::quantize`] does. The ranges are disjoint.
pub fn quantize() -> AffineFn {
    select_affine::<Quantize>()
}

/// The loop of the inverse, [`Affine::dequantize`], for i8 and i16. The ranges are disjoint.
pub fn dequantize() -> AffineFn {
    select_affine::<Dequantize>()
}

impl AffineBody for Quantize {
    #[inline(always)]
    fn run<F: Features>(
        mem: &mut [u8],
        element: Element,
        src: usize,
        dst: usize,
        count: usize,
        affine: Affine,
    ) {
        // A sum with zero rounds to the same integer as without it.
        let (scale, offset) = (affine.scale, affine.offset.unwrap_or(0.0));
        let (least, most) = if element == Element::I8 { (-128, 127) } else { (0, 255) };
        let Aligned(results) = &mut Aligned([0; CHUNK]);
        each_chunk!(count, CHUNK, |start, length| {
            let from = src + start * 4;
            let sources = mem[from..from + length * 4].as_chunks::<4>().0;
            for (result, bytes) in results[..length].iter_mut().zip(sources) {
                let moved = (f32::from_le_bytes(*bytes) * scale + offset).round_ties_even();
                *result = to_i32(moved).clamp(least, most) as u8;
            }
            mem[dst + start..dst + start + length].copy_from_slice(&results[..length]);
        });
    }
}

impl AffineBody for Dequantize {
    #[inline(always)]
    fn run<F: Features>(
        mem: &mut [u8],
        element: Element,
        src: usize,
        dst: usize,
        count: usize,
        affine: Affine,
    ) {
        let (scale, offset) = (affine.scale, affine.offset.unwrap_or(0.0));
        let Aligned(values) = &mut Aligned([0f32; CHUNK]);
        each_chunk!(count, CHUNK, |start, length| {
            let (from, values) = (src + element.bytes(start), &mut values[..length]);
            let bytes = &mem[from..from + element.bytes(length)];
            if element == Element::I8 {
                bytes.iter().zip(values.iter_mut()).for_each(|(q, value)| *value = f32::from(*q as i8));
            } else {
                let words = bytes.as_chunks().0.iter().map(|bytes| i16::from_le_bytes(*bytes));
                values.iter_mut().zip(words).for_each(|(value, q)| *value = f32::from(q));
            }
            let to = dst + start * 4;
            let results = mem[to..to + length * 4].as_chunks_mut().0;
            for (bytes, value) in results.iter_mut().zip(values.iter()) {
                *bytes = canonical_bits((*value - offset) * scale).to_le_bytes();
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::{levels, with_level};
    use crate::testing::operands;
    use crate::{get_element, set_element};

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
}
