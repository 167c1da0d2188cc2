//! Attributes and locations.

use super::types::matching_bracket;
use super::{Parse, Parser};
use crate::diag::Diagnostic;
use crate::ir::{Attribute, EnumSpelling, NamedAttribute, Type};
use crate::isa::rules;
use crate::text::cursor::Token;
use std::collections::HashSet;

/// Attributes from which on a list is long.
const LONG: usize = 32;

impl<'a> Parser<'a> {
    /// `{key = value, key}` if it stands here.
    pub(super) fn parse_optional_attributes(&mut self, into: &mut Vec<NamedAttribute>) -> Parse<()> {
        if self.eat('{') { self.parse_attributes_to('}', into) } else { Ok(()) }
    }

    /// `key = value, key` up to a closing character.
    pub(super) fn parse_attributes_to(&mut self, close: char, into: &mut Vec<NamedAttribute>) -> Parse<()> {
        // Lists are short; the names of a long one are kept aside.
        let mut names = HashSet::new();
        self.list(close, |parser| {
            let span = parser.span();
            let attribute = parser.parse_named_attribute()?;
            let twice = if into.len() < LONG {
                into.iter().any(|known| known.name == attribute.name)
            } else {
                if names.is_empty() {
                    names.extend(into.iter().map(|known| known.name.clone()));
                }
                !names.insert(attribute.name.clone())
            };
            if twice {
                let message = format!("attribute `{}` is given twice", attribute.name);
                return parser.syntax(span, message);
            }
            into.push(attribute);
            Ok(())
        })
    }

    fn parse_named_attribute(&mut self) -> Parse<NamedAttribute> {
        let start = self.cursor.start();
        let (name, quoted) = match self.token() {
            Token::Word(word) => (word.to_owned(), false),
            Token::Text(text) => (unescape(text), true),
            _ => return self.unexpected("the name of an attribute"),
        };
        self.advance();
        let value = if self.eat('=') { self.parse_attribute()? } else { Attribute::Unit };
        Ok(NamedAttribute { name, value, quoted, span: self.since(start) })
    }

    /// A constant.
    pub(super) fn parse_attribute(&mut self) -> Parse<Attribute> {
        self.nested(Self::parse_attribute_inner)
    }

    fn parse_attribute_inner(&mut self) -> Parse<Attribute> {
        match self.token() {
            Token::Integer(_) | Token::Float(_) | Token::Punct('-') => self.parse_number(),
            Token::Text(text) => {
                self.advance();
                Ok(Attribute::String(unescape(text)))
            }
            Token::Symbol(name) => {
                self.advance();
                Ok(Attribute::Symbol(self.parse_symbol_path(name)?))
            }
            Token::Hash(name) => self.parse_hash(name),
            Token::Punct('<') => {
                let value = self.parse_angle()?;
                Ok(Attribute::Enum { name: String::new(), value, spelling: EnumSpelling::Elided })
            }
            Token::Punct('[') => {
                self.advance();
                let mut list = Vec::new();
                self.list(']', |parser| {
                    list.push(parser.parse_attribute()?);
                    Ok(())
                })?;
                Ok(Attribute::Array(list))
            }
            Token::Punct('{') => {
                self.advance();
                let mut list = Vec::new();
                self.parse_attributes_to('}', &mut list)?;
                Ok(Attribute::Dictionary(list))
            }
            Token::Word(word) => self.parse_word_attribute(word),
            _ => Ok(Attribute::Type(self.parse_type()?)),
        }
    }

    fn parse_word_attribute(&mut self, word: &'a str) -> Parse<Attribute> {
        match word {
            "true" | "false" => {
                self.advance();
                Ok(Attribute::Bool(word == "true"))
            }
            "unit" => {
                self.advance();
                Ok(Attribute::Unit)
            }
            "dense" | "array" | "strided" | "affine_map" => {
                let start = self.cursor.start();
                self.advance();
                self.parse_angle()?;
                if self.eat(':') {
                    self.parse_type()?;
                }
                let text = &self.cursor.source()[start..self.cursor.previous_end()];
                Ok(Attribute::Opaque(text.split_whitespace().collect::<Vec<_>>().join(" ")))
            }
            _ => Ok(Attribute::Type(self.parse_type()?)),
        }
    }

    fn parse_symbol_path(&mut self, first: &str) -> Parse<String> {
        let mut path = first.to_owned();
        while self.at(':') && self.cursor.source()[self.cursor.start()..].starts_with("::@") {
            self.advance();
            self.advance();
            let Token::Symbol(name) = self.token() else { return self.unexpected("a symbol") };
            path.push_str("::@");
            path.push_str(name);
            self.advance();
        }
        Ok(path)
    }

    /// What stands between `<` here and the matching `>`, blanks squeezed; both are passed.
    fn parse_angle(&mut self) -> Parse<String> {
        let (source, open) = (self.cursor.source(), self.cursor.start());
        if !self.at('<') {
            return self.unexpected("`<`");
        }
        let Some(close) = matching_bracket(source, open) else {
            let span = self.span();
            return self.syntax(span, "this `<` is not closed");
        };
        self.jump(close + 1);
        Ok(source[open + 1..close].split_whitespace().collect::<Vec<_>>().join(" "))
    }

    fn parse_hash(&mut self, name: &'a str) -> Parse<Attribute> {
        let span = self.span();
        self.advance();
        let Some(name) = name.strip_prefix("pto") else {
            return match self.attribute_aliases.get(name) {
                Some(attribute) => Ok(attribute.clone()),
                None => self.syntax(span, format!("`#{name}` is not defined")),
            };
        };
        let value = self.parse_angle()?;
        if let Some(name) = name.strip_prefix('.') {
            return Ok(Attribute::Enum { name: name.to_owned(), value, spelling: EnumSpelling::Dotted });
        }
        match value.split_once(' ') {
            Some((name, value)) => Ok(Attribute::Enum {
                name: name.to_owned(),
                value: value.trim().to_owned(),
                spelling: EnumSpelling::Spaced,
            }),
            None => self.syntax(span, "an attribute of the dialect is spelled `#pto<name value>`"),
        }
    }

    /// A number with its sign and, behind `:`, its type.
    fn parse_number(&mut self) -> Parse<Attribute> {
        let span = self.span();
        let negative = self.eat('-');
        let (text, float) = match self.token() {
            Token::Integer(text) => (text, false),
            Token::Float(text) => (text, true),
            _ => return self.unexpected("a number"),
        };
        let span = span.to(self.span());
        self.advance();
        let ty = if self.eat(':') { Some(self.parse_type()?) } else { None };
        if float {
            if text.len() > 400 {
                return self.syntax(span, "this number has more than 400 digits");
            }
            let sign = if negative { "-" } else { "" };
            return Ok(Attribute::Float(format!("{sign}{text}"), ty));
        }
        let magnitude = if text.len() > 40 {
            None
        } else {
            match text.strip_prefix("0x") {
                Some(hex) => i128::from_str_radix(hex, 16).ok(),
                None => text.parse::<i128>().ok(),
            }
        };
        // The bits of a float are written as hexadecimal digits; a decimal integer is no float.
        if let Some(ty) = ty
            && let Type::Scalar(scalar) = self.module.types[ty]
            && !scalar.is_integer()
            && !text.starts_with("0x")
        {
            let message = format!("{text} is an integer, not a {}: write {text}.0", scalar.word());
            return self.fail(Diagnostic::error(&rules::values::CONSTANT, message).at(span));
        }
        match magnitude {
            Some(value) if value < 1 << 64 => {
                Ok(Attribute::Integer(if negative { -value } else { value }, ty))
            }
            _ => self.syntax(span, "this integer does not fit 64 bits"),
        }
    }

    /// `loc(...)` if it stands here, as written.
    pub(super) fn parse_optional_location(&mut self) -> Parse<Option<String>> {
        if !self.at_word("loc") {
            return Ok(None);
        }
        let start = self.cursor.start();
        self.advance();
        let open = self.span();
        self.expect('(')?;
        let mut depth = 1;
        while depth > 0 {
            match self.token() {
                Token::Punct('(') => depth += 1,
                Token::Punct(')') => depth -= 1,
                Token::End => return self.syntax(open, "this `(` is not closed"),
                _ => {}
            }
            self.advance();
        }
        Ok(Some(self.cursor.source()[start..self.cursor.previous_end()].to_owned()))
    }
}

/// A string with its escapes resolved.
pub(super) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, character == '\\') {
            (_, true) => match characters.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            _ => out.push(character),
        }
    }
    out
}
