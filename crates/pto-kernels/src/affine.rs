//! Affine quantization: f32 to 8-bit integers and back, with a scale and an offset.

use crate::number::canonical_bits;
use crate::{Element, get_element, set_element};

/// A scale, and an offset where there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    /// What an element is multiplied by.
    pub scale: f32,
    /// What is added behind a quantization, and subtracted before its inverse.
    pub offset: Option<f32>,
}

impl Affine {
    /// `x * scale + offset`, each step rounded, then to the nearest integer (ties to even) within the format; 0 for NaN.
    #[inline(always)]
    pub fn quantize(self, x: f32, signed: bool) -> u8 {
        let scaled = x * self.scale;
        let moved = self.offset.map_or(scaled, |offset| scaled + offset).round_ties_even();
        // The conversion takes NaN to 0 and saturates.
        if signed { (moved as i8) as u8 } else { moved as u8 }
    }

    /// `(q - offset) * scale`, each step rounded; the bits of an f32.
    #[inline(always)]
    pub fn dequantize(self, q: i32) -> u32 {
        let moved = q as f32 - self.offset.unwrap_or(0.0);
        canonical_bits(moved * self.scale)
    }
}

/// Quantizes `count` f32 from byte `src` on into bytes from `dst` on.
pub fn quantize_row(mem: &mut [u8], src: usize, dst: usize, count: usize, affine: Affine, signed: bool) {
    for i in 0..count {
        let x = f32::from_bits(get_element(mem, src, i, Element::F32) as u32);
        mem[dst + i] = affine.quantize(x, signed);
    }
}

/// The inverse: `count` integers of a format from byte `src` on to f32 from `dst` on.
pub fn dequantize_row(
    mem: &mut [u8],
    element: Element,
    src: usize,
    dst: usize,
    count: usize,
    affine: Affine,
) {
    for i in 0..count {
        let q = element.decode_int(get_element(mem, src, i, element)) as i32;
        set_element(mem, dst, i, Element::F32, u64::from(affine.dequantize(q)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
