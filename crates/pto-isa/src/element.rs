//! Spelling of number formats in `.pto` text.

pub use pto_num::Element;

/// The word for a format in `.pto` files, such as `f32` or `f8E4M3FN`.
pub fn element_word(element: Element) -> &'static str {
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
        Element::HiF8 => "!pto.hif8",
        Element::E4M3 => "f8E4M3FN",
        Element::E5M2 => "f8E5M2",
        Element::E8M0 => "!pto.f8E8M0",
        Element::E2M1x2 => "!pto.f4E2M1x2",
        Element::E1M2x2 => "!pto.f4E1M2x2",
        Element::I4x2 => "!pto.i4x2",
    }
}

/// The format with this word, or `None`. Signless and signed integers are the same format; formats outside MLIR's
/// builtin types are accepted with and without the `!pto.` prefix.
pub fn element_from_word(word: &str) -> Option<Element> {
    Some(match word.strip_prefix("!pto.").unwrap_or(word) {
        "i8" | "si8" => Element::I8,
        "i16" | "si16" => Element::I16,
        "i32" | "si32" => Element::I32,
        "i64" | "si64" => Element::I64,
        "ui8" => Element::U8,
        "ui16" => Element::U16,
        "ui32" => Element::U32,
        "ui64" => Element::U64,
        "f16" => Element::F16,
        "bf16" => Element::Bf16,
        "f32" => Element::F32,
        "hif8" => Element::HiF8,
        "f8E4M3FN" | "f8E4M3" => Element::E4M3,
        "f8E5M2" => Element::E5M2,
        "f8E8M0" | "f8E8M0FNU" => Element::E8M0,
        "f4E2M1x2" => Element::E2M1x2,
        "f4E1M2x2" => Element::E1M2x2,
        "i4x2" => Element::I4x2,
        _ => return None,
    })
}

/// Whether the text of a type spells its elements `siN`.
pub fn spells_signed(text: &str) -> bool {
    let signed =
        |word: &str| word.strip_prefix("si").is_some_and(|bits| ["8", "16", "32", "64"].contains(&bits));
    text.split(|c: char| c == 'x' || !c.is_ascii_alphanumeric()).any(signed)
}
