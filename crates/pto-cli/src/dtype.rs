//! The words by which users name number formats.

use crate::Element;

/// The type of one argument: a number format, or one of the two types that only scalars have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dtype {
    /// A number format that tiles and scalars can hold.
    Number(Element),
    /// `index`: a signed 64-bit integer.
    Index,
    /// `i1`: true or false.
    Bool,
}

impl Dtype {
    /// Reads a word such as `f32`, `ui8`, `!pto.hif8`, `index`; also `si8` and `u8` and the like.
    pub fn parse(word: &str) -> Option<Dtype> {
        match word {
            "index" => Some(Dtype::Index),
            "i1" => Some(Dtype::Bool),
            _ => element(word).map(Dtype::Number),
        }
    }

    /// The format in which a value of this type is stored: `index` as i64, `i1` as one byte, 0 or 1.
    pub fn storage(self) -> Element {
        match self {
            Dtype::Number(element) => element,
            Dtype::Index => Element::I64,
            Dtype::Bool => Element::U8,
        }
    }

    /// The word by which users know the type.
    pub fn word(self) -> &'static str {
        match self {
            Dtype::Number(element) => word(element),
            Dtype::Index => "index",
            Dtype::Bool => "i1",
        }
    }
}

/// The format that `text` names, with or without `!pto.`.
pub fn element(text: &str) -> Option<Element> {
    let text = text.strip_prefix("!pto.").unwrap_or(text);
    Some(match text {
        "i8" | "si8" => Element::I8,
        "i16" | "si16" => Element::I16,
        "i32" | "si32" => Element::I32,
        "i64" | "si64" => Element::I64,
        "ui8" | "u8" => Element::U8,
        "ui16" | "u16" => Element::U16,
        "ui32" | "u32" => Element::U32,
        "ui64" | "u64" => Element::U64,
        _ => Element::ALL.into_iter().filter(|e| e.is_float()).find(|&e| word(e) == text)?,
    })
}

/// The word of a format, such as `f32`, `ui8` or `f8E4M3FN`.
pub fn word(element: Element) -> &'static str {
    match element {
        Element::I8 => "i8",
        Element::I16 => "i16",
        Element::I32 => "i32",
        Element::I64 => "i64",
        Element::U8 => "ui8",
        Element::U16 => "ui16",
        Element::U32 => "ui32",
        Element::U64 => "ui64",
        Element::F16 => "f16",
        Element::Bf16 => "bf16",
        Element::F32 => "f32",
        Element::HiF8 => "hif8",
        Element::E4M3 => "f8E4M3FN",
        Element::E5M2 => "f8E5M2",
        Element::E8M0 => "f8E8M0",
        Element::E2M1 => "f4E2M1x2",
        Element::E1M2 => "f4E1M2x2",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_reads_back() {
        for e in Element::ALL {
            assert_eq!(element(word(e)), Some(e));
            assert_eq!(element(&format!("!pto.{}", word(e))), Some(e));
        }
    }

    #[test]
    fn aliases_and_scalar_types() {
        assert_eq!(element("si16"), Some(Element::I16));
        assert_eq!(element("u32"), Some(Element::U32));
        assert_eq!(Dtype::parse("i1"), Some(Dtype::Bool));
        assert_eq!(Dtype::parse("index").map(Dtype::storage), Some(Element::I64));
        assert_eq!(Dtype::parse("f64"), None);
        assert_eq!(Dtype::parse(""), None);
    }
}
