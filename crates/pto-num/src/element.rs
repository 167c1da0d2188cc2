//! The number formats that a tile can hold.

/// A number format: how the bits of a tile element encode its value.
///
/// Widths and special values are those of `docs/isa/state-and-types/type-system.md`; the 8-bit and 4-bit
/// floats follow the OCP definitions, [`HiF8`](Element::HiF8) the HiFloat8 paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Element {
    /// 8-bit two's complement integer.
    I8,
    /// 16-bit two's complement integer.
    I16,
    /// 32-bit two's complement integer.
    I32,
    /// 64-bit two's complement integer.
    I64,
    /// 8-bit unsigned integer.
    U8,
    /// 16-bit unsigned integer.
    U16,
    /// 32-bit unsigned integer.
    U32,
    /// 64-bit unsigned integer.
    U64,
    /// IEEE 754 binary16.
    F16,
    /// bfloat16: 8 exponent bits, 7 mantissa bits.
    Bf16,
    /// IEEE 754 binary32.
    F32,
    /// HiFloat8: tapered 8-bit float with 1 to 3 mantissa bits.
    HiF8,
    /// 8-bit float with 4 exponent bits, finite only (`f8E4M3FN`).
    E4M3,
    /// 8-bit float with 5 exponent bits, with infinities (`f8E5M2`).
    E5M2,
    /// 8-bit power of two, the scale of MX formats (`f8E8M0`).
    E8M0,
    /// A byte with two 4-bit floats of 2 exponent bits, the first in the low half (`f4E2M1x2`).
    E2M1x2,
    /// A byte with two 4-bit floats of 1 exponent bit, the first in the low half (`f4E1M2x2`).
    E1M2x2,
    /// A byte with two 4-bit two's complement integers, the first in the low half (`i4x2`).
    I4x2,
}

impl Element {
    /// Every format, in declaration order.
    pub const ALL: [Element; 18] = [
        Element::I8,
        Element::I16,
        Element::I32,
        Element::I64,
        Element::U8,
        Element::U16,
        Element::U32,
        Element::U64,
        Element::F16,
        Element::Bf16,
        Element::F32,
        Element::HiF8,
        Element::E4M3,
        Element::E5M2,
        Element::E8M0,
        Element::E2M1x2,
        Element::E1M2x2,
        Element::I4x2,
    ];

    /// Width of one element in bits: 8, 16, 32 or 64.
    #[inline]
    pub const fn bits(self) -> u32 {
        match self {
            Element::I8 | Element::U8 | Element::HiF8 | Element::E4M3 | Element::E5M2 | Element::E8M0 => 8,
            Element::E2M1x2 | Element::E1M2x2 | Element::I4x2 => 8,
            Element::I16 | Element::U16 | Element::F16 | Element::Bf16 => 16,
            Element::I32 | Element::U32 | Element::F32 => 32,
            Element::I64 | Element::U64 => 64,
        }
    }

    /// Size in bytes of `count` consecutive elements.
    #[inline]
    pub const fn bytes(self, count: usize) -> usize {
        count.saturating_mul(self.bits() as usize / 8)
    }

    /// Values of one element: 2 for formats of packed pairs, else 1.
    #[inline]
    pub const fn values(self) -> usize {
        match self {
            Element::E2M1x2 | Element::E1M2x2 | Element::I4x2 => 2,
            _ => 1,
        }
    }

    /// Width of one value in bits: 4 in packed pairs, else that of the element.
    #[inline]
    pub const fn value_bits(self) -> u32 {
        self.bits() / self.values() as u32
    }

    /// Whether the format is one of the eight integer formats; a pair of integers is not.
    #[inline]
    pub const fn is_integer(self) -> bool {
        self.is_signed_integer() || self.is_unsigned_integer()
    }

    /// Whether the format is a two's complement integer.
    #[inline]
    pub const fn is_signed_integer(self) -> bool {
        matches!(self, Element::I8 | Element::I16 | Element::I32 | Element::I64)
    }

    /// Whether the format is an unsigned integer.
    #[inline]
    pub const fn is_unsigned_integer(self) -> bool {
        matches!(self, Element::U8 | Element::U16 | Element::U32 | Element::U64)
    }

    /// Whether the values of the format are integers: one of the eight integer formats, or a pair of integers.
    #[inline]
    pub const fn holds_integers(self) -> bool {
        self.is_integer() || matches!(self, Element::I4x2)
    }

    /// Whether the format is a float of any width, or a pair of floats.
    #[inline]
    pub const fn is_float(self) -> bool {
        !self.holds_integers()
    }

    /// Whether an element is a pair of 4-bit values.
    #[inline]
    pub const fn is_packed(self) -> bool {
        self.values() > 1
    }
}
