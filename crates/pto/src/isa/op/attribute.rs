//! Attributes of operations, as data on their pages: which there are, what they may be, and what holds where one is elided.
//!
//! Code that needs a default asks the page for it ([`Site::word_or_default`](super::site::Site::word_or_default) and its
//! siblings), so each default is written once. A key with a dot, such as `pto.inferred_layout`, belongs to whoever wrote
//! it, not to the operation; pages list none of these.

use super::Page;
use super::site::Site;
use crate::isa::attribute::{Attribute, EnumSpelling, NamedAttribute, find as find_attribute};
use std::fmt;

/// What an attribute may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// A word of an enumeration: its name, then its words. `#pto<round_mode RINT>`, or `RINT` where the syntax has a place
    /// for it.
    Words(&'static str, &'static [&'static str]),
    /// One of these strings.
    Strings(&'static [&'static str]),
    /// An enumeration attribute that holds fields, `#pto.NAME<FIELDS>`: its name, then its fields.
    Fields(&'static str, &'static str),
    /// An integer.
    Integer,
    /// `true` or `false`.
    Bool,
    /// An integer or a float.
    Number,
    /// Any constant.
    Constant,
    /// A string.
    String,
    /// A symbol, `@name`.
    Symbol,
    /// A list of integers.
    Integers,
    /// The key alone, without a value.
    Unit,
}

impl AttributeKind {
    /// The phrase for the manual, such as `integer`.
    pub fn describe(self) -> String {
        match self {
            AttributeKind::Words(_, words) => words.join(", "),
            AttributeKind::Strings(words) => {
                words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
            }
            AttributeKind::Fields(name, fields) => format!("#pto.{name}<{fields}>"),
            AttributeKind::Integer => "integer".to_owned(),
            AttributeKind::Bool => "bool".to_owned(),
            AttributeKind::Number => "integer or float".to_owned(),
            AttributeKind::Constant => "constant".to_owned(),
            AttributeKind::String => "string".to_owned(),
            AttributeKind::Symbol => "symbol".to_owned(),
            AttributeKind::Integers => "list of integers".to_owned(),
            AttributeKind::Unit => "key alone".to_owned(),
        }
    }

    /// The name of the kind, for programs that read it.
    pub fn word(self) -> &'static str {
        match self {
            AttributeKind::Words(..) => "words",
            AttributeKind::Strings(_) => "strings",
            AttributeKind::Fields(..) => "fields",
            AttributeKind::Integer => "integer",
            AttributeKind::Bool => "bool",
            AttributeKind::Number => "number",
            AttributeKind::Constant => "constant",
            AttributeKind::String => "string",
            AttributeKind::Symbol => "symbol",
            AttributeKind::Integers => "integers",
            AttributeKind::Unit => "unit",
        }
    }
}

/// A value that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constant {
    /// A word of the attribute's enumeration, or one of its strings.
    Word(&'static str),
    /// An integer.
    Integer(i64),
    /// A truth value.
    Bool(bool),
    /// Integers.
    Integers(&'static [i64]),
}

impl fmt::Display for Constant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Constant::Word(word) => f.write_str(word),
            Constant::Integer(number) => number.fmt(f),
            Constant::Bool(value) => value.fmt(f),
            Constant::Integers(list) => write!(f, "{list:?}"),
        }
    }
}

/// What holds where an attribute is elided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// It is not elided.
    Required,
    /// This value.
    Value(Constant),
    /// What no one value says, as a phrase.
    Means(&'static str),
}

/// One attribute of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeSpec {
    /// The key.
    pub name: &'static str,
    /// Other spellings of the key.
    pub aliases: &'static [&'static str],
    /// What it may be.
    pub kind: AttributeKind,
    /// What holds where it is elided.
    pub default: DefaultValue,
    /// What it says, in one sentence.
    pub summary: &'static str,
}

impl AttributeSpec {
    /// An attribute that is required.
    pub(crate) const fn new(name: &'static str, kind: AttributeKind, summary: &'static str) -> AttributeSpec {
        AttributeSpec { name, aliases: &[], kind, default: DefaultValue::Required, summary }
    }

    /// A word of an enumeration.
    pub(crate) const fn words(
        name: &'static str,
        enumeration: &'static str,
        words: &'static [&'static str],
        summary: &'static str,
    ) -> AttributeSpec {
        AttributeSpec::new(name, AttributeKind::Words(enumeration, words), summary)
    }

    /// An integer.
    pub(crate) const fn integer(name: &'static str, summary: &'static str) -> AttributeSpec {
        AttributeSpec::new(name, AttributeKind::Integer, summary)
    }

    /// A truth value.
    pub(crate) const fn boolean(name: &'static str, summary: &'static str) -> AttributeSpec {
        AttributeSpec::new(name, AttributeKind::Bool, summary)
    }

    /// The attribute, which may also be called by these names.
    pub(crate) const fn also(self, aliases: &'static [&'static str]) -> AttributeSpec {
        AttributeSpec { aliases, ..self }
    }

    const fn or(self, value: Constant) -> AttributeSpec {
        AttributeSpec { default: DefaultValue::Value(value), ..self }
    }

    /// The attribute, which is this word where it is elided.
    pub(crate) const fn or_word(self, word: &'static str) -> AttributeSpec {
        self.or(Constant::Word(word))
    }

    /// The attribute, which is this integer where it is elided.
    pub(crate) const fn or_integer(self, number: i64) -> AttributeSpec {
        self.or(Constant::Integer(number))
    }

    /// The attribute, which is this truth value where it is elided.
    pub(crate) const fn or_bool(self, value: bool) -> AttributeSpec {
        self.or(Constant::Bool(value))
    }

    /// The attribute, which is these integers where it is elided.
    pub(crate) const fn or_integers(self, list: &'static [i64]) -> AttributeSpec {
        self.or(Constant::Integers(list))
    }

    /// The attribute, whose absence means what a phrase says.
    pub(crate) const fn or_means(self, phrase: &'static str) -> AttributeSpec {
        AttributeSpec { default: DefaultValue::Means(phrase), ..self }
    }

    /// The value that holds where it is elided, if one value does.
    pub fn default_value(&self) -> Option<Constant> {
        match self.default {
            DefaultValue::Value(value) => Some(value),
            DefaultValue::Required | DefaultValue::Means(_) => None,
        }
    }

    /// The attribute with its default written out, if one value is the default.
    pub fn written_default(&self) -> Option<NamedAttribute> {
        let value = match (self.default_value()?, self.kind) {
            (Constant::Word(word), AttributeKind::Words(name, _)) => {
                let (name, value) = (name.to_owned(), word.to_owned());
                Attribute::Enum { name, value, spelling: EnumSpelling::Spaced }
            }
            (Constant::Word(word), _) => Attribute::String(word.to_owned()),
            (Constant::Integer(number), _) => Attribute::Integer(number.into(), None),
            (Constant::Bool(value), _) => Attribute::Bool(value),
            (Constant::Integers(list), _) => Attribute::Array(
                list.iter().map(|number| Attribute::Integer((*number).into(), None)).collect(),
            ),
        };
        Some(NamedAttribute::new(self.name, value))
    }

    /// The phrase for the manual on what holds where it is elided: `required`, or `default RINT`.
    pub fn describe_default(&self) -> String {
        match self.default {
            DefaultValue::Required => "required".to_owned(),
            DefaultValue::Value(value) => format!("default {value}"),
            DefaultValue::Means(phrase) => format!("absent: {phrase}"),
        }
    }

    /// Finds the attribute among those of a use, under any of its names.
    pub(crate) fn find<'a>(&self, attributes: &'a [NamedAttribute]) -> Option<&'a Attribute> {
        let names = std::iter::once(&self.name).chain(self.aliases);
        names.into_iter().find_map(|name| find_attribute(attributes, name))
    }
}

impl Site<'_> {
    /// The attribute with this key, which the page of the instruction lists, under any of its names.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        let spec = self.instruction.page().attribute(name);
        debug_assert!(spec.is_some(), "the page of `{}` has no attribute `{name}`", self.spelling);
        spec?.find(self.attributes)
    }

    /// The attribute with this key, if the page of the instruction lists it and the use has it: for code that instructions
    /// with different attributes share.
    pub fn listed_attribute(&self, name: &str) -> Option<&Attribute> {
        self.instruction.page().attribute(name)?.find(self.attributes)
    }

    /// The word of [`Site::listed_attribute`].
    pub fn listed_word(&self, name: &str) -> Option<&str> {
        self.listed_attribute(name)?.as_word()
    }

    /// The word of an enumeration attribute.
    pub fn word(&self, name: &str) -> Option<&str> {
        self.attribute(name)?.as_word()
    }

    /// The word of an enumeration attribute; the page's default where none is written.
    pub fn word_or_default(&self, name: &str) -> Option<&str> {
        self.word(name).or_else(|| self.instruction.page().default_word(name))
    }

    /// The integer or truth value of an attribute, the page's default where it is elided; `None` where it is written as
    /// something else.
    pub fn integer_or_default(&self, name: &str) -> Option<i128> {
        match self.attribute(name) {
            Some(attribute) => attribute.as_integer(),
            None => self.instruction.page().default_integer(name),
        }
    }
}

impl Page {
    /// The word that holds where an attribute is elided, if one does.
    pub(crate) fn default_word(&self, name: &str) -> Option<&'static str> {
        match self.attribute(name)?.default_value()? {
            Constant::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The integer or truth value that holds where an attribute is elided, if one does.
    pub(crate) fn default_integer(&self, name: &str) -> Option<i128> {
        match self.attribute(name)?.default_value()? {
            Constant::Integer(number) => Some(number.into()),
            Constant::Bool(value) => Some(value.into()),
            _ => None,
        }
    }

    /// What the page says of the attribute with this key.
    pub fn attribute(&self, name: &str) -> Option<&'static AttributeSpec> {
        self.attributes.iter().find(|spec| spec.name == name || spec.aliases.contains(&name))
    }
}
