//! Numbers of arrays: JSON has none for NaN and infinities, which are words.

use pto::data::{Array, value_text};
use pto::isa::Element;
use serde::{Serialize, Serializer};

/// A value of an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A finite float.
    Float(f64),
    /// A signed integer.
    Signed(i64),
    /// An unsigned integer.
    Unsigned(u64),
    /// NaN or an infinity: `nan`, `inf`, `-inf`.
    Word(&'static str),
}

impl Number {
    /// The value at a position of an array.
    pub fn of(array: &Array, position: usize) -> Number {
        Number::of_bits(array.element(), array.bits(position))
    }

    /// The value of a format with these bits. A float gets the fewest digits that give its bits again.
    pub fn of_bits(element: Element, bits: u64) -> Number {
        let text = value_text(element, bits);
        if element.is_integer() {
            let unsigned = || text.parse().map(Number::Unsigned).ok();
            return text.parse().map(Number::Signed).ok().or_else(unsigned).unwrap_or(Number::Word("nan"));
        }
        // Parsed from its text, since for instance the f64 next to the f32 0.1 has more digits.
        Number::from(text.parse().unwrap_or(f64::NAN))
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Number {
        match value {
            value if value.is_nan() => Number::Word("nan"),
            f64::INFINITY => Number::Word("inf"),
            f64::NEG_INFINITY => Number::Word("-inf"),
            value => Number::Float(value),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Number::Float(value) => serializer.serialize_f64(value),
            Number::Signed(value) => serializer.serialize_i64(value),
            Number::Unsigned(value) => serializer.serialize_u64(value),
            Number::Word(word) => serializer.serialize_str(word),
        }
    }
}

#[cfg(test)]
impl schemars::JsonSchema for Number {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A number; NaN and infinities are words, since JSON has no numbers for them.",
            "anyOf": [{ "type": "number" }, { "type": "string", "enum": ["nan", "inf", "-inf"] }],
        })
    }
}
