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
