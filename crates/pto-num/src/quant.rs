//! Quantization of one accumulator element: times a scale, rounded, clamped, plus an offset.
//!
//! A parameter is one u64: bits 31:0 are the scale as an f32, bits 35:32 the shift minus one, bits 45:37 the offset in
//! two's complement, bit 46 set if results are signed. In a row of parameters, one for each column, the low 13 bits of
//! the scale are ignored.

use crate::{Element, Overflow, Rounding};

/// The fields of a quantization parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Factor of an element.
    pub scale: f32,
    /// Right shift in bits from i32 to i16, 1 to 16.
    pub shift: u32,
    /// Added after the rounding, -256 to 255.
    pub offset: i32,
    /// Whether 8-bit results are clamped to the range of i8, else to that of u8.
    pub signed: bool,
}

/// Mask of the scale bits that a parameter in a row of parameters uses.
const COLUMN_SCALE: u64 = 0xffff_e000;

impl Parameter {
    /// Decodes a parameter for all columns.
    #[inline(always)]
    pub fn scalar(bits: u64) -> Parameter {
        Parameter {
            scale: f32::from_bits(bits as u32),
            shift: (bits >> 32 & 15) as u32 + 1,
            offset: ((bits >> 37) as i32) << 23 >> 23,
            signed: bits >> 46 & 1 != 0,
        }
    }

    /// Decodes a parameter for one column.
    #[inline(always)]
    pub fn column(bits: u64) -> Parameter {
        Parameter::scalar(bits & (!0xffff_ffff | COLUMN_SCALE))
    }

    /// Whether a parameter decodes equally for all columns and for one column: the low 13 bits of the scale are 0.
    pub fn is_short(bits: u64) -> bool {
        bits & 0xffff_ffff & !COLUMN_SCALE == 0
    }

    /// Smallest and largest 8-bit result.
    #[inline(always)]
    pub fn range(self) -> (i32, i32) {
        if self.signed { (-128, 127) } else { (0, 255) }
    }
}

/// Whether accumulators of `from` are quantized to `to`.
pub fn quantizes(from: Element, to: Element) -> bool {
    use Element::{Bf16, E4M3, F16, F32, HiF8, I8, I16, I32, U8};
    match from {
        F32 => matches!(to, I8 | U8 | F16 | Bf16 | HiF8 | E4M3 | F32),
        I32 => matches!(to, I8 | U8 | I16 | F16 | Bf16),
        _ => false,
    }
}

/// The bits of one quantized element. `None` unless [`quantizes`]. Every quantization of the toolchain equals this
/// definition.
///
/// - I8, U8: the product rounded to nearest even, clamped to -256..=255 (NaN is 0), plus the offset, clamped to
///   [`range`](Parameter::range).
/// - I16 from I32: shifted right, clamped.
/// - F16: the product clamped to the finite range, then rounded; for an F32 accumulator only a finite product is
///   clamped.
/// - BF16: the product rounded to nearest even.
/// - HiF8, E4M3: as a saturating conversion of the product: finite ones are rounded and clamped to the finite range;
///   HiF8 keeps infinities, E4M3 clamps them and makes 0 of NaN.
/// - F32: the product.
///
/// The product is one f32 multiplication; an I32 is rounded to f32 first. `relu` makes negative results zero.
pub fn quantize_one(from: Element, to: Element, relu: bool, parameter: Parameter, bits: u64) -> Option<u64> {
    if !quantizes(from, to) {
        return None;
    }
    if to == Element::I16 {
        let shifted = (bits as u32 as i32) >> parameter.shift;
        let value = shifted.clamp(-32768, 32767);
        return Some(if relu { value.max(0) } else { value } as u64 & 0xffff);
    }
    let value = if from == Element::I32 { bits as u32 as i32 as f32 } else { f32::from_bits(bits as u32) };
    let product = value * parameter.scale;
    if matches!(to, Element::I8 | Element::U8) {
        let rounded = product.round_ties_even().clamp(-256.0, 255.0) as i32;
        let (least, most) = parameter.range();
        let value = (rounded + parameter.offset).clamp(least, most);
        return Some(if relu { value.max(0) } else { value } as u64 & 0xff);
    }
    let product = if relu && product <= 0.0 { 0.0 } else { product };
    if to == Element::E4M3 && product.is_nan() {
        return Some(0);
    }
    let clamped = match to {
        Element::F16 => product.is_finite() || from == Element::I32,
        Element::HiF8 => !product.is_infinite(),
        Element::E4M3 => true,
        _ => false,
    };
    let overflow = if clamped { Overflow::Saturate } else { Overflow::Ieee };
    let rounding = if to == Element::HiF8 { Rounding::NearestAway } else { Rounding::NearestEven };
    Some(to.encode(f64::from(product), rounding, overflow))
}
