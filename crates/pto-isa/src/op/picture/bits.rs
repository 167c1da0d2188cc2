//! Bits of numbers: the fields of a format, and the bits that a conversion keeps.

use crate::element::Element;

/// One number in a format.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// The operand's role.
    pub role: &'static str,
    /// The format.
    pub element: Element,
    /// Bits of the number.
    pub bits: u64,
}

/// A field of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Meaning of the field.
    pub part: Part,
    /// Width of the field in bits.
    pub width: u32,
}

/// The meaning of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The sign.
    Sign,
    /// The prefix of HiFloat8, which gives the widths of the other fields.
    Prefix,
    /// The exponent.
    Exponent,
    /// The bits after the leading one.
    Mantissa,
    /// An integer, or the low bits of one in two's complement.
    Integer,
}

impl Part {
    /// The word above the field.
    pub fn word(self) -> &'static str {
        match self {
            Part::Sign => "sign",
            Part::Prefix => "prefix",
            Part::Exponent => "exponent",
            Part::Mantissa => "mantissa",
            Part::Integer => "integer",
        }
    }
}

impl Word {
    /// A number in an operand.
    pub const fn of(role: &'static str, element: Element, bits: u64) -> Word {
        Word { role, element, bits }
    }

    /// Fields of the word, the highest bit first, without fields of width 0.
    pub fn fields(&self) -> Vec<Field> {
        let widths = match (self.element, self.element.fields()) {
            (_, Some(fields)) => {
                vec![(Part::Sign, 1), (Part::Exponent, fields.exponent), (Part::Mantissa, fields.mantissa)]
            }
            (Element::HiF8, None) => tapered(self.bits),
            (Element::E8M0, None) => vec![(Part::Exponent, 8)],
            (element, None) => vec![(Part::Integer, element.value_bits())],
        };
        let fields = widths.into_iter().filter(|(_, width)| *width > 0);
        fields.map(|(part, width)| Field { part, width }).collect()
    }

    /// Width of the field with a meaning; 0 if there is none.
    pub fn width(&self, part: Part) -> u32 {
        self.fields().into_iter().find(|field| field.part == part).map_or(0, |field| field.width)
    }

    /// The exponent of the leading one of a normal number.
    fn exponent(&self) -> i32 {
        let value = self.element.decode(self.bits).abs();
        if value.is_normal() { ((value.to_bits() >> 52) as i32) - 1023 } else { 0 }
    }
}

/// The fields of HiFloat8, whose widths depend on a prefix.
fn tapered(bits: u64) -> Vec<(Part, u32)> {
    let (prefix, exponent) = match bits & 0x7f {
        payload if payload >= 0x60 => (2, 4),
        payload if payload >= 0x40 => (2, 3),
        payload if payload >= 0x20 => (2, 2),
        payload if payload >= 0x10 => (3, 1),
        _ => (4, 0),
    };
    let mantissa = 7 - prefix - exponent;
    vec![(Part::Sign, 1), (Part::Prefix, prefix), (Part::Exponent, exponent), (Part::Mantissa, mantissa)]
}

/// Number of leading mantissa bits of `source` that fit into `result`; the bit after them decides the rounding. Both
/// are normal numbers, or the result is an integer of 1 or more.
pub fn kept(source: &Word, result: &Word) -> u32 {
    let room = match result.width(Part::Mantissa) {
        0 => source.exponent().max(0) as u32,
        width => width,
    };
    room.min(source.width(Part::Mantissa))
}

/// Whether the magnitude of `result` is greater than that of `source`.
pub fn rounds_away(source: &Word, result: &Word) -> bool {
    let value = |word: &Word| word.element.decode(word.bits);
    value(result).abs() > value(source).abs()
}
