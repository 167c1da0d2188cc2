//! Attributes and locations.

use super::special::is_special;
use super::type_text::matching_bracket;
use super::words::Place;
use super::{Parse, Parser};
use crate::ir::{Attribute, EnumSpelling, NamedAttribute, Type};
use crate::text::cursor::{Comments, Token};
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::rules;
use std::collections::HashSet;

/// Maximum total size of the attributes that uses of aliases expand to, in bytes.
const MAX_ALIASED: usize = 1 << 22;

/// Length of a list of attributes from which a hash set detects duplicates.
const LONG: usize = 32;

impl<'a> Parser<'a> {
    /// Parses `{key = value, key}` if it is next.
    pub(super) fn parse_optional_attributes(&mut self, into: &mut Vec<NamedAttribute>) -> Parse<()> {
        if self.eat('{') { self.parse_attributes_to('}', into) } else { Ok(()) }
    }

    /// Parses `key = value, key = value` without the braces around it, and reports that they are missing.
    pub(super) fn parse_unbraced(&mut self, into: &mut Vec<NamedAttribute>) -> Parse<()> {
        if !self.at_key() || self.is_on_next_line() {
            return Ok(());
        }
        let start = self.cursor.start();
        loop {
            into.extend(self.parse_named_attribute()?);
            if !self.eat(',') {
                break;
            }
        }
        let all = self.since(start);
        let error = Diagnostic::error(&rules::text::SYNTAX, "attributes are written between braces").at(all);
        let text = &self.cursor.source()[all.start as usize..all.end as usize];
        let error = error.with_help(format!("write `{{{text}}}`"));
        let (before, after) = (Span::new(all.start, all.start), Span::new(all.end, all.end));
        self.report(error.with_edit(before, "{").with_edit(after, "}"));
        Ok(())
    }

    /// Whether a word is next, and `=` after it.
    fn at_key(&self) -> bool {
        let mut ahead = self.cursor.clone();
        ahead.advance(&mut Comments::default());
        matches!(self.token(), Token::Word(_)) && ahead.token() == Token::Punct('=')
    }

    /// Parses `key = value, key` up to a closing character.
    pub(super) fn parse_attributes_to(&mut self, close: char, into: &mut Vec<NamedAttribute>) -> Parse<()> {
        // Lists are short; only a long one has its names in a hash set.
        let mut names = HashSet::new();
        self.list(close, |parser| {
            let span = parser.span();
            let Some(attribute) = parser.parse_named_attribute()? else { return Ok(()) };
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

    /// Parses `key = value` or `key`; `None` if the value is an unknown word, which is reported.
    fn parse_named_attribute(&mut self) -> Parse<Option<NamedAttribute>> {
        let start = self.cursor.start();
        let (name, quoted) = match self.token() {
            Token::Word(word) => (word.to_owned(), false),
            Token::Text(text) => (self.unescaped(text)?, true),
            _ => return self.unexpected("the name of an attribute"),
        };
        self.advance();
        if self.at(':') {
            self.report_colon(&name);
        } else if !self.eat('=') {
            return Ok(Some(NamedAttribute {
                name,
                value: Attribute::Unit,
                quoted,
                span: self.since(start),
            }));
        }
        let Some(value) = self.parse_value_of(&name, Place::Dictionary)? else { return Ok(None) };
        Ok(Some(NamedAttribute { name, value, quoted, span: self.since(start) }))
    }

    /// The current string with its escapes resolved.
    fn unescaped(&mut self, text: &str) -> Parse<String> {
        unescape(text).or_else(|message| self.syntax(self.span(), message))
    }

    /// Parses a constant.
    pub(super) fn parse_attribute(&mut self) -> Parse<Attribute> {
        self.nested(Self::parse_attribute_inner)
    }

    fn parse_attribute_inner(&mut self) -> Parse<Attribute> {
        match self.token() {
            Token::Integer(_) | Token::Float(_) | Token::Punct('-') => self.parse_number(),
            Token::Text(text) => {
                let text = self.unescaped(text)?;
                self.advance();
                Ok(Attribute::String(text))
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
            Token::Word(word) if is_special(word) => self.parse_special(self.span(), false),
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

    /// The text between the current `<` and the matching `>`, blanks squeezed; advances past both.
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
            return self.parse_alias(name, span);
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

    /// Expands a use of an alias. The total size is limited, because nested aliases can expand exponentially.
    fn parse_alias(&mut self, name: &str, span: Span) -> Parse<Attribute> {
        let Some((attribute, size)) = self.attribute_aliases.get(name) else {
            return self.syntax(span, format!("`#{name}` is not defined"));
        };
        self.aliased = self.aliased.saturating_add(*size);
        if self.aliased > MAX_ALIASED {
            self.stop = true;
            return self.syntax(
                span,
                format!(
                    "the uses of attribute aliases expand to more than {MAX_ALIASED} bytes of attributes"
                ),
            );
        }
        Ok(attribute.clone())
    }

    /// Parses a number with its sign and an optional type after `:`.
    fn parse_number(&mut self) -> Parse<Attribute> {
        let span = self.span();
        let negative = self.eat('-');
        let (text, float) = match self.token() {
            Token::Integer(text) => (text, false),
            Token::Float(text) => (text, true),
            Token::Word(word) if is_special(word) => return self.parse_special(span, negative),
            _ => return self.unexpected("a number"),
        };
        let span = span.to(self.span());
        self.advance();
        self.skip_suffix();
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
        // Hexadecimal digits are the bits of a float; a decimal integer is not a float.
        if let Some(ty) = ty
            && let Type::Scalar(scalar) = self.module.types[ty]
            && !scalar.is_integer()
            && !text.starts_with("0x")
        {
            let message = format!("{text} is an integer, but `{}` is a float type", scalar.word());
            let error = Diagnostic::error(&rules::values::CONSTANT, message).at(span);
            let float = format!("{text}.0");
            return self.fail(error.with_help(format!("write `{float}`")).with_edit(span, float));
        }
        match magnitude {
            Some(value) if value < 1 << 64 => {
                Ok(Attribute::Integer(if negative { -value } else { value }, ty))
            }
            _ => self.syntax(span, "this integer does not fit 64 bits"),
        }
    }

    /// Parses `loc(...)` if it is next, and returns it as written.
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

/// Resolves the escapes of a string: `\n`, `\t`, `\"`, `\\`, and bytes as two hexadecimal digits.
fn unescape(text: &str) -> Result<String, String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'\\' {
            out.push(*byte);
            continue;
        }
        let digits = rest.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let hex = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let (value, length) = match (rest.first(), hex) {
            (_, Some(hex)) => (u8::from_str_radix(hex, 16).unwrap_or_default(), 2),
            (Some(b'n'), _) => (b'\n', 1),
            (Some(b't'), _) => (b'\t', 1),
            (Some(b'"' | b'\\'), _) => (rest[0], 1),
            _ => return Err("escapes are `\\n`, `\\t`, `\\\"`, `\\\\` and two hexadecimal digits".to_owned()),
        };
        out.push(value);
        rest = &rest[length..];
    }
    String::from_utf8(out).map_err(|_| "the bytes of this string are no UTF-8".to_owned())
}
