//! Names of number formats in flags and files.

use pto_isa::element::{element_from_word, element_word};
use pto_num::Element;

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
    /// Parses a word such as `f32`, `ui8`, `!pto.hif8`, `index`; also aliases such as `si8` and `u8`.
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

    /// The word for the type in messages and files.
    pub fn word(self) -> &'static str {
        match self {
            Dtype::Number(element) => word(element),
            Dtype::Index => "index",
            Dtype::Bool => "i1",
        }
    }
}

/// The format with a name, with or without `!pto.`: its word, or an alias of an integer.
pub fn element(text: &str) -> Option<Element> {
    let bare = text.strip_prefix("!pto.").unwrap_or(text);
    match bare {
        "u8" => Some(Element::U8),
        "u16" => Some(Element::U16),
        "u32" => Some(Element::U32),
        "u64" => Some(Element::U64),
        _ => element_from_word(text).filter(|&element| element.is_integer() || word(element) == bare),
    }
}

/// The word of a format without the dialect's prefix, such as `f32`, `ui8` or `hif8`.
pub fn word(element: Element) -> &'static str {
    element_word(element).trim_start_matches("!pto.")
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
