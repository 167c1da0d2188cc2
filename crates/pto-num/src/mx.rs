//! MX quantization of one element: groups of elements share a power of two, derived from their largest magnitude.
//!
//! Source: `docs/isa/TQUANT.md`, `include/pto/npu/a5/TQuant.hpp`.

use crate::{Element, Overflow, Rounding, bf16_to_f32, f16_to_f32};

/// Rule that derives the exponent of a group from its largest magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScaleRule {
    /// The exponent of the largest magnitude minus that of the format's largest value.
    Ocp,
    /// The exponent of the smallest power of two that brings the largest magnitude into the range of the format.
    Nv,
}

/// An MX quantization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mx {
    /// Source format: f32, f16 or bf16.
    pub source: Element,
    /// Target format: E4M3 or values of E2M1x2.
    pub target: Element,
    /// The rule of the exponent.
    pub rule: ScaleRule,
}

/// The code of NaN as an exponent.
const NAN: u8 = 0xff;

impl Mx {
    /// Whether the ISA has this quantization.
    pub fn exists(self) -> bool {
        matches!(self.source, Element::F32 | Element::F16 | Element::Bf16)
            && matches!(self.target, Element::E4M3 | Element::E2M1x2)
    }

    /// The magnitude of an element as bits that compare as integers, NaN as the largest. With the OCP rule, which needs
    /// 8-bit exponents, an f16 is truncated to bf16.
    pub fn magnitude(self, bits: u64) -> u64 {
        match (self.source, self.rule) {
            (Element::F32, _) => bits & 0x7fff_ffff,
            (Element::F16, ScaleRule::Ocp) => {
                let value = f16_to_f32(bits as u16).abs();
                if value.is_nan() { 0x7fc0 } else { u64::from(value.to_bits() >> 16) }
            }
            _ => bits & 0x7fff,
        }
    }

    /// The largest magnitude of a group as an f32.
    fn greatest(self, magnitude: u64) -> f32 {
        match (self.source, self.rule) {
            (Element::F32, _) => f32::from_bits(magnitude as u32),
            (Element::F16, ScaleRule::Nv) => f16_to_f32(magnitude as u16),
            _ => bf16_to_f32(magnitude as u16),
        }
    }

    /// The exponent, biased by 127, of a group with this largest [`magnitude`](Mx::magnitude).
    pub fn exponent(self, magnitude: u64) -> u8 {
        let greatest = self.greatest(magnitude);
        if greatest.is_nan() {
            return NAN;
        }
        let fields = |bits: u32| ((bits >> 23) as u8, bits & 0x7f_ffff);
        match self.rule {
            ScaleRule::Ocp => {
                let top = if self.target == Element::E4M3 { 8 } else { 2 };
                fields(greatest.to_bits()).0.saturating_sub(top)
            }
            ScaleRule::Nv => {
                let limit: f32 = if self.target == Element::E4M3 { 1.0 / 448.0 } else { 1.0 / 6.0 };
                let (exponent, rest) = fields((greatest * limit).to_bits());
                let beyond = if exponent == 0 { rest > 0x40_0000 } else { rest > 0 };
                match exponent {
                    0xff => 0xfe,
                    0xfe => 0xfe,
                    _ => exponent + u8::from(beyond),
                }
            }
        }
    }

    /// The factor of the elements of a group with this exponent, as bits: of an f32 if the source is f32, else of a
    /// bf16.
    pub fn scaling(self, exponent: u8) -> u64 {
        let wide = self.source == Element::F32;
        if exponent == NAN {
            return match (wide, self.target) {
                (true, _) => 0x7fc0_0000,
                (false, Element::E4M3) => 0x7f81,
                _ => 0x7fc0,
            };
        }
        // 2^-127 is subnormal.
        let bits = if exponent == 0xfe { 0x40 } else { u64::from(0xfe - exponent) << 7 };
        if wide { bits << 16 } else { bits }
    }

    /// The code of an element of a group with this scaling. NaN becomes the format's NaN, or its largest value if it
    /// has none.
    pub fn code(self, bits: u64, scaling: u64) -> u64 {
        let value = match self.source {
            Element::F32 => f32::from_bits(bits as u32),
            Element::F16 => f16_to_f32(bits as u16),
            _ => bf16_to_f32(bits as u16),
        };
        let scale = f32::from_bits(if self.source == Element::F32 { scaling } else { scaling << 16 } as u32);
        let scaled = value * scale;
        if scaled.is_nan() {
            return if self.target == Element::E4M3 { 0x7f } else { 7 };
        }
        self.target.encode(f64::from(scaled), Rounding::NearestEven, Overflow::Saturate)
    }
}
