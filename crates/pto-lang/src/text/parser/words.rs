//! Words of enumerations without the name of the enumeration or without brackets: the word that was meant, and the
//! edit that writes it.

use super::special::is_special;
use super::types::scalar_word;
use super::{Parse, Parser};
use crate::ir::{Attribute, EnumSpelling};
use crate::text::cursor::{Comments, Token};
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::op::attribute::{AttributeKind, AttributeSpec, structural};
use pto_isa::registry::Op;
use pto_isa::rules;

/// Words that begin a constant or a type other than a scalar.
const OTHER_WORDS: [&str; 13] = [
    "true",
    "false",
    "unit",
    "dense",
    "array",
    "strided",
    "affine_map",
    "memref",
    "vector",
    "tensor",
    "none",
    "f64",
    "tf32",
];

/// Maximum number of tokens of a word between brackets, including the token before it.
const MOST_TOKENS: usize = 6;

/// Position of the value of an attribute in the text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// After the attribute's key: a word is written `#pto<name word>`.
    Dictionary,
    /// At the attribute's position in the syntax of the operation: a word is written `<word>`.
    Syntax,
}

/// A word of an enumeration in a wrong notation.
struct Loose<'a> {
    word: &'a str,
    span: Span,
}

impl<'a> Parser<'a> {
    /// Parses the value of the attribute `key`. A word that is not written as one is reported; the result is the value that
    /// was meant, so that the rest of the text is read, or `None` if that is unknown.
    pub(super) fn parse_value_of(&mut self, key: &str, place: Place) -> Parse<Option<Attribute>> {
        let Some(loose) = self.loose_word(key, place) else { return self.parse_attribute().map(Some) };
        self.jump(loose.span.end as usize);
        Ok(self.report_loose(key, &loose, place))
    }

    /// Reports a colon between the key and the value of an attribute.
    pub(super) fn report_colon(&mut self, key: &str) {
        let equals = if self.cursor.previous_end() == self.cursor.start() { " =" } else { "=" };
        let error = self.expected("`=`").with_help(format!("write `{key} = ...`"));
        let error = error.with_edit(self.span(), equals);
        self.report(error);
        self.advance();
    }

    /// The word at the current token, if it lacks a part of the notation of enumerations: alone, after `#`, or in
    /// `#pto<...>` without the name. Strings are not included: the parser reads them as strings, and the check judges
    /// them.
    fn loose_word(&mut self, key: &str, place: Place) -> Option<Loose<'a>> {
        let span = self.span();
        match self.token() {
            Token::Word(word) => {
                let is_other = OTHER_WORDS.contains(&word) || is_special(word) || scalar_word(word).is_some();
                (!is_other).then_some(Loose { word, span })
            }
            Token::Integer(word) => {
                let spec = self.attribute_spec(key, word);
                let is_end = spec.is_some_and(|spec| !spec.spellings.numbered && spec.meant(word).is_some());
                (place == Place::Syntax && is_end).then_some(Loose { word, span })
            }
            Token::Hash("pto") => self.enclosed(span, '<', '>'),
            Token::Punct(open @ ('[' | '(')) if place == Place::Syntax => {
                let loose = self.enclosed(span, open, if open == '[' { ']' } else { ')' })?;
                self.attribute_spec(key, loose.word)?.meant(loose.word).map(|_| loose)
            }
            Token::Hash(word) if !word.starts_with("pto") && !self.attribute_aliases.contains_key(word) => {
                self.attribute_spec(key, word)
                    .is_some_and(|spec| spec.has_word("", word))
                    .then_some(Loose { word, span })
            }
            _ => None,
        }
    }

    /// The only word between two brackets, such as `RINT` in `#pto<RINT>`, `PIPE_V` in `[PIPE_V]` and `(<PIPE_V>)`. The span begins at
    /// `start`, and the current token is the bracket or the token before it.
    fn enclosed(&self, start: Span, open: char, close: char) -> Option<Loose<'a>> {
        let mut comments = Comments::default();
        let mut ahead = self.cursor.clone();
        let mut seen = Vec::new();
        while seen.len() < MOST_TOKENS && ahead.token() != Token::End {
            seen.push((ahead.token(), ahead.span()));
            ahead.advance(&mut comments);
        }
        let at = seen.iter().position(|(token, _)| *token == Token::Punct(open))?;
        match seen.get(at + 1..)? {
            [(Token::Word(word), _), (Token::Punct(end), span), ..] if *end == close => {
                Some(Loose { word, span: start.to(*span) })
            }
            [
                (Token::Punct('<'), _),
                (Token::Word(word), _),
                (Token::Punct('>'), _),
                (Token::Punct(end), span),
                ..,
            ] if *end == close => Some(Loose { word, span: start.to(*span) }),
            _ => None,
        }
    }

    /// The attribute with this key: of the current operation, else of one that has the word, else of any.
    fn attribute_spec(&self, key: &str, word: &str) -> Option<&'static AttributeSpec> {
        let own = self.named.and_then(|op| op.page().attribute(key));
        let listed = || {
            let of_pages = Op::all().filter_map(|op| op.page().attribute(key));
            of_pages.chain(structural::find(key))
        };
        own.or_else(|| listed().find(|spec| spec.has_word("", word))).or_else(|| listed().next())
    }

    fn report_loose(&mut self, key: &str, loose: &Loose<'a>, place: Place) -> Option<Attribute> {
        let &Loose { word, span } = loose;
        let spec = self.attribute_spec(key, word);
        if let Some(value) = spec.and_then(|spec| truth(spec, word)) {
            let message = format!("`{word}` is not a truth value");
            let error = Diagnostic::error(&rules::text::SYNTAX, message).at(span);
            self.report(error.with_help(format!("write `{value}`")).with_edit(span, value.to_string()));
            return Some(Attribute::Bool(value));
        }
        let meant = spec.and_then(|spec| spec.meant(word));
        let lacks = if place == Place::Syntax { "its brackets" } else { "the name of its enumeration" };
        let message = match &meant {
            Some((_, known)) if known != word => format!("`{key}` has no word `{word}`"),
            _ => format!("`{word}` is a word without {lacks}"),
        };
        let error = Diagnostic::error(&rules::text::SYNTAX, message).at(span);
        let Some((name, known)) = meant else {
            self.report(match spec {
                Some(spec) => error.with_help(format!("write a value such as `{}`", spec.example())),
                None => error.with_help("a word is written `#pto<name word>`, a string in quotation marks"),
            });
            return None;
        };
        let (written, name, spelling) = match place {
            Place::Dictionary => (format!("#pto<{name} {known}>"), name, EnumSpelling::Spaced),
            Place::Syntax => (format!("<{known}>"), "", EnumSpelling::Elided),
        };
        self.report_joined(error.with_help(format!("write `{written}`")).with_edit(span, written));
        Some(Attribute::Enum { name: name.to_owned(), value: known, spelling })
    }
}

impl Parser<'_> {
    /// Reports a mistake with an edit. One that is made several times in an operation is one error with all edits.
    fn report_joined(&mut self, error: Diagnostic) {
        let place =
            |finding: &Diagnostic| finding.primary.as_ref().map_or(0, |label| label.span.start as usize);
        let begins = |finding: &Diagnostic| matches!(finding.edits.as_slice(), [edit, ..] if edit.replacement.starts_with(['<', '#']));
        let last = self.diagnostics.last_mut().filter(|last| {
            last.rule == error.rule && place(last) >= self.statement && begins(last) && begins(&error)
        });
        match last {
            Some(last) => {
                let labels = error.primary.into_iter();
                last.secondary.extend(labels);
                last.help.extend(error.help);
                last.edits.extend(error.edits);
            }
            None => self.report(error),
        }
    }
}

/// The truth value of `true` or `false` in any case, for an attribute that takes one; `None` for other words.
fn truth(spec: &AttributeSpec, word: &str) -> Option<bool> {
    let value = [true, false].into_iter().find(|value| word.eq_ignore_ascii_case(&value.to_string()))?;
    (spec.kind == AttributeKind::Bool).then_some(value)
}
