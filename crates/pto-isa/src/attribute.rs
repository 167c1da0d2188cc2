//! Attributes: constants attached to operations, functions and modules.

use super::types::TypeId;
use crate::diag::Span;

/// A constant.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    /// A unit attribute: a key without a value.
    Unit,
    /// `true` or `false`.
    Bool(bool),
    /// An integer, and its type if it was written.
    Integer(i128, Option<TypeId>),
    /// A float as written, and its type if it was written.
    Float(String, Option<TypeId>),
    /// A string, unescaped.
    String(String),
    /// `@name`, or `@outer::@inner`.
    Symbol(String),
    /// An enumeration value: `#pto.name<value>`, `#pto<name value>`, `<value>` where the name is implied, or
    /// `value`.
    Enum {
        /// Name of the enumeration; empty if it was elided.
        name: String,
        /// The text between the brackets, blanks squeezed.
        value: String,
        /// Notation of the value in program text.
        spelling: EnumSpelling,
    },
    /// `[...]`.
    Array(Vec<Attribute>),
    /// `{...}`.
    Dictionary(Vec<NamedAttribute>),
    /// A type.
    Type(TypeId),
    /// A form that is stored as text and not parsed, such as `dense<...>` or `array<i32: 1, 2>`.
    Opaque(String),
}

/// Notation of an enumeration attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnumSpelling {
    /// `#pto.name<value>`.
    Dotted,
    /// `#pto<name value>`.
    Spaced,
    /// `<value>`.
    Elided,
    /// `value`.
    Bare,
}

impl Attribute {
    /// Sets the type of a number; other constants stay unchanged.
    pub fn typed(self, ty: TypeId) -> Attribute {
        match self {
            Attribute::Integer(value, _) => Attribute::Integer(value, Some(ty)),
            Attribute::Float(text, _) => Attribute::Float(text, Some(ty)),
            other => other,
        }
    }

    /// The integer; `None` for other attributes.
    pub fn as_integer(&self) -> Option<i128> {
        match self {
            Attribute::Integer(value, _) => Some(*value),
            Attribute::Bool(value) => Some(*value as i128),
            _ => None,
        }
    }

    /// Phrase for the kind of attribute in messages, such as "an integer".
    pub fn describe(&self) -> &'static str {
        match self {
            Attribute::Unit => "a key alone",
            Attribute::Bool(_) => "a truth value",
            Attribute::Integer(..) => "an integer",
            Attribute::Float(..) => "a float",
            Attribute::String(_) => "a string",
            Attribute::Symbol(_) => "a symbol",
            Attribute::Enum { .. } => "a word",
            Attribute::Array(_) => "a list",
            Attribute::Dictionary(_) => "a dictionary",
            Attribute::Type(_) => "a type",
            Attribute::Opaque(_) => "text in brackets",
        }
    }

    /// The approximate size of a copy, in bytes.
    pub fn size(&self) -> usize {
        let inner = match self {
            Attribute::Float(text, _) | Attribute::String(text) => text.len(),
            Attribute::Symbol(text) | Attribute::Opaque(text) => text.len(),
            Attribute::Enum { name, value, .. } => name.len() + value.len(),
            Attribute::Array(list) => list.iter().map(Attribute::size).sum(),
            Attribute::Dictionary(list) => {
                list.iter().map(|named| named.name.len() + named.value.size()).sum()
            }
            Attribute::Unit | Attribute::Bool(_) | Attribute::Integer(..) | Attribute::Type(_) => 0,
        };
        inner + size_of::<Attribute>()
    }

    /// The word of an enumeration attribute or string.
    pub fn as_word(&self) -> Option<&str> {
        match self {
            Attribute::Enum { value, .. } => Some(value),
            Attribute::String(text) => Some(text),
            _ => None,
        }
    }
}

/// A key and its constant. Equality compares the spelling and ignores the source location.
#[derive(Clone, Debug)]
pub struct NamedAttribute {
    /// The key.
    pub name: String,
    /// The constant.
    pub value: Attribute,
    /// Whether the key was written in quotes, as `"pto.target_arch" = "a5"`.
    pub quoted: bool,
    /// The source location of key and value; empty if the attribute is not from source text.
    pub span: Span,
}

impl PartialEq for NamedAttribute {
    fn eq(&self, other: &NamedAttribute) -> bool {
        (&self.name, &self.value, self.quoted) == (&other.name, &other.value, other.quoted)
    }
}

impl NamedAttribute {
    /// An attribute that is not from source text; its key is not quoted.
    pub fn new(name: impl Into<String>, value: Attribute) -> NamedAttribute {
        NamedAttribute { name: name.into(), value, quoted: false, span: Span::default() }
    }

    /// Sets the source location.
    pub fn at(self, span: Span) -> NamedAttribute {
        NamedAttribute { span, ..self }
    }
}

/// Looks up a key in a list of attributes.
pub fn find<'a>(attributes: &'a [NamedAttribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|attribute| attribute.name == name).map(|attribute| &attribute.value)
}
