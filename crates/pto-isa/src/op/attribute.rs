//! Attributes of operations, as data on their pages: keys, kinds of values, and defaults.
//!
//! Code that needs a default gets it from the page ([`Site::word_or_default`](super::site::Site::word_or_default)
//! and related methods), so each default is written once. A key with a dot, such as `pto.inferred_layout`, belongs
//! to the tool that wrote it, not to the operation; pages list no such keys. `value.rs` judges the values that a program
//! writes, `structural.rs` lists the attributes of modules and functions.

pub mod structural;
mod value;

use super::Page;
use super::site::Site;
use crate::attribute::{Attribute, EnumSpelling, NamedAttribute, find as find_attribute};
use std::fmt;

/// The kind of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeKind {
    /// A word of an enumeration: its name, then its words. Written `#pto<round_mode RINT>`, or `RINT` where the
    /// syntax has a position for it.
    Words(&'static str, &'static [&'static str]),
    /// A string from this list.
    Strings(&'static [&'static str]),
    /// An enumeration attribute that holds fields, `#pto.NAME<FIELDS>`: its name, then its fields.
    Fields(&'static str, &'static str),
    /// An integer.
    Integer,
    /// `true` or `false`.
    Bool,
    /// An integer or a float.
    Number,
    /// A constant of any type.
    Constant,
    /// A string.
    String,
    /// A symbol, `@name`.
    Symbol,
    /// A list of integers.
    Integers,
    /// A unit attribute: the key without a value.
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

    /// The machine-readable name of the kind.
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

/// A default value of an attribute.
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

/// The default of an attribute that is not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// No default: the attribute is required.
    Required,
    /// A constant.
    Value(Constant),
    /// A default that is not a single value, described by a phrase.
    Means(&'static str),
}

/// Further spellings of the words of an attribute, in addition to those of its [`AttributeKind::Words`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spellings {
    /// Whether case is ignored.
    pub any_case: bool,
    /// A prefix that a word may have, such as `CAST_`.
    pub prefix: &'static str,
    /// Other enumerations whose words the attribute takes: name and words.
    pub others: &'static [(&'static str, &'static [&'static str])],
    /// Whether the number of a word is accepted, counted from 0.
    pub numbered: bool,
    /// Words of the enumeration in the public dialect that have no meaning on any page.
    pub without_meaning: &'static [&'static str],
}

impl Spellings {
    /// No spellings except the listed words.
    const LISTED: Spellings =
        Spellings { any_case: false, prefix: "", others: &[], numbered: false, without_meaning: &[] };
}

/// One attribute of an operation: key, kind, default and summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttributeSpec {
    /// The key.
    pub name: &'static str,
    /// Other spellings of the key.
    pub aliases: &'static [&'static str],
    /// Kind of the value.
    pub kind: AttributeKind,
    /// Further spellings of the attribute's words.
    pub spellings: Spellings,
    /// The default.
    pub default: DefaultValue,
    /// Meaning of the attribute, in one sentence.
    pub summary: &'static str,
}

impl AttributeSpec {
    /// A required attribute.
    pub(crate) const fn new(name: &'static str, kind: AttributeKind, summary: &'static str) -> AttributeSpec {
        let spellings = Spellings::LISTED;
        AttributeSpec { name, aliases: &[], kind, spellings, default: DefaultValue::Required, summary }
    }

    /// A required attribute that is a word of an enumeration.
    pub(crate) const fn words(
        name: &'static str,
        enumeration: &'static str,
        words: &'static [&'static str],
        summary: &'static str,
    ) -> AttributeSpec {
        AttributeSpec::new(name, AttributeKind::Words(enumeration, words), summary)
    }

    /// A required integer attribute.
    pub(crate) const fn integer(name: &'static str, summary: &'static str) -> AttributeSpec {
        AttributeSpec::new(name, AttributeKind::Integer, summary)
    }

    /// A required boolean attribute.
    pub(crate) const fn boolean(name: &'static str, summary: &'static str) -> AttributeSpec {
        AttributeSpec::new(name, AttributeKind::Bool, summary)
    }

    /// Adds other spellings of the key.
    pub(crate) const fn also(self, aliases: &'static [&'static str]) -> AttributeSpec {
        AttributeSpec { aliases, ..self }
    }

    /// Also accepts the words of the attribute in any case.
    pub(crate) const fn any_case(self) -> AttributeSpec {
        AttributeSpec { spellings: Spellings { any_case: true, ..self.spellings }, ..self }
    }

    /// Also accepts the words of the attribute with a prefix.
    pub(crate) const fn prefixed(self, prefix: &'static str) -> AttributeSpec {
        AttributeSpec { spellings: Spellings { prefix, ..self.spellings }, ..self }
    }

    /// Also accepts the words of other enumerations.
    pub(crate) const fn or_of(
        self,
        others: &'static [(&'static str, &'static [&'static str])],
    ) -> AttributeSpec {
        AttributeSpec { spellings: Spellings { others, ..self.spellings }, ..self }
    }

    /// Also accepts the numbers of the attribute's words.
    pub(crate) const fn numbered(self) -> AttributeSpec {
        AttributeSpec { spellings: Spellings { numbered: true, ..self.spellings }, ..self }
    }

    /// Names the words of the enumeration that have no meaning.
    pub(crate) const fn without_meaning(self, without_meaning: &'static [&'static str]) -> AttributeSpec {
        AttributeSpec { spellings: Spellings { without_meaning, ..self.spellings }, ..self }
    }

    const fn or(self, value: Constant) -> AttributeSpec {
        AttributeSpec { default: DefaultValue::Value(value), ..self }
    }

    /// Sets the default to a word.
    pub(crate) const fn or_word(self, word: &'static str) -> AttributeSpec {
        self.or(Constant::Word(word))
    }

    /// Sets the default to an integer.
    pub(crate) const fn or_integer(self, number: i64) -> AttributeSpec {
        self.or(Constant::Integer(number))
    }

    /// Sets the default to a truth value.
    pub(crate) const fn or_bool(self, value: bool) -> AttributeSpec {
        self.or(Constant::Bool(value))
    }

    /// Sets the default to a list of integers.
    pub(crate) const fn or_integers(self, list: &'static [i64]) -> AttributeSpec {
        self.or(Constant::Integers(list))
    }

    /// Sets a default that is described by a phrase.
    pub(crate) const fn or_means(self, phrase: &'static str) -> AttributeSpec {
        AttributeSpec { default: DefaultValue::Means(phrase), ..self }
    }

    /// The default, if it is a single value.
    pub fn default_value(&self) -> Option<Constant> {
        match self.default {
            DefaultValue::Value(value) => Some(value),
            DefaultValue::Required | DefaultValue::Means(_) => None,
        }
    }

    /// The attribute with its default value, as it would be written; `None` if the default is not a single value.
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

    /// The default as a phrase for the manual: `required`, or `default RINT`.
    pub fn describe_default(&self) -> String {
        match self.default {
            DefaultValue::Required => "required".to_owned(),
            DefaultValue::Value(value) => format!("default {value}"),
            DefaultValue::Means(phrase) => format!("absent: {phrase}"),
        }
    }

    /// Key of the attribute, then the other spellings of the key.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }

    /// Finds the attribute in the attributes of a use, by its key or an alias.
    pub(crate) fn find<'a>(&self, attributes: &'a [NamedAttribute]) -> Option<&'a Attribute> {
        self.names().find_map(|name| find_attribute(attributes, name))
    }
}

impl Site<'_> {
    /// Finds an attribute of the use by its key on the instruction's page, or an alias.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        let spec = self.instruction.page().attribute(name);
        debug_assert!(spec.is_some(), "the page of `{}` has no attribute `{name}`", self.spelling);
        spec?.find(self.attributes)
    }

    /// Finds an attribute by its key; `None` if the page does not list it or the use does not have it. For code
    /// shared by instructions with different attributes.
    pub fn listed_attribute(&self, name: &str) -> Option<&Attribute> {
        self.instruction.page().attribute(name)?.find(self.attributes)
    }

    /// The word of the attribute that [`Site::listed_attribute`] finds.
    pub fn listed_word(&self, name: &str) -> Option<&str> {
        self.listed_attribute(name)?.as_word()
    }

    /// The word of an enumeration attribute.
    pub fn word(&self, name: &str) -> Option<&str> {
        self.attribute(name)?.as_word()
    }

    /// The word of an enumeration attribute, or the page's default if it is not written.
    pub fn word_or_default(&self, name: &str) -> Option<&str> {
        self.word(name).or_else(|| self.instruction.page().default_word(name))
    }

    /// The integer or truth value of an attribute, or the page's default if it is not written; `None` if the value
    /// has another kind.
    pub fn integer_or_default(&self, name: &str) -> Option<i128> {
        match self.attribute(name) {
            Some(attribute) => attribute.as_integer(),
            None => self.instruction.page().default_integer(name),
        }
    }
}

impl Page {
    /// The default of an attribute, if it is a word.
    pub(crate) fn default_word(&self, name: &str) -> Option<&'static str> {
        match self.attribute(name)?.default_value()? {
            Constant::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The default of an attribute, if it is an integer or a truth value.
    pub fn default_integer(&self, name: &str) -> Option<i128> {
        match self.attribute(name)?.default_value()? {
            Constant::Integer(number) => Some(number.into()),
            Constant::Bool(value) => Some(value.into()),
            _ => None,
        }
    }

    /// The page's entry for the attribute with this key.
    pub fn attribute(&self, name: &str) -> Option<&'static AttributeSpec> {
        self.attributes.iter().find(|spec| spec.name == name || spec.aliases.contains(&name))
    }
}
