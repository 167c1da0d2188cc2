//! Expectations of the grammar at a token, and the error if the token is another one: a misspelt word, a bracket
//! without its partner, or any other token.

use super::types::scalar_word;
use super::{Parse, Parser};
use crate::ir::{Operand, TypeId};
use crate::text::cursor::{Comments, Token};
use crate::text::printer::type_text;
use pto_isa::diag::{Diagnostic, Span, nearest, suggest};
use pto_isa::rules;

/// The words that the grammar allows at one position of the text, as far as the parser has tried them.
#[derive(Default)]
pub(super) struct Tried {
    at: usize,
    words: Vec<&'static str>,
}

impl<'a> Parser<'a> {
    /// Whether the current token is this word, which the grammar allows here.
    pub(super) fn at_word(&mut self, word: &'static str) -> bool {
        let here = self.cursor.start();
        if self.tried.at != here {
            self.tried.at = here;
            self.tried.words.clear();
        }
        self.tried.words.push(word);
        self.token() == Token::Word(word)
    }

    pub(super) fn eat(&mut self, character: char) -> bool {
        let here = self.at(character);
        if here {
            self.advance();
        }
        here
    }

    pub(super) fn eat_word(&mut self, word: &'static str) -> bool {
        let here = self.at_word(word);
        if here {
            self.advance();
        }
        here
    }

    pub(super) fn expect(&mut self, character: char) -> Parse<()> {
        if self.eat(character) {
            return Ok(());
        }
        let wanted = format!("`{character}`");
        let is_type = match self.token() {
            Token::Bang(_) => true,
            Token::Word(word) => scalar_word(word).is_some(),
            _ => false,
        };
        if character == ':' && is_type || character == ',' && matches!(self.token(), Token::Value(_)) {
            return self.missing(character, &wanted);
        }
        match self.partner(character) {
            // After a comma the list goes on: its bracket is not the cause.
            Some(open) if !self.at(',') => self.unclosed(open, &wanted, character),
            _ => self.unexpected(&wanted),
        }
    }

    pub(super) fn expect_word(&mut self, word: &'static str) -> Parse<()> {
        if self.eat_word(word) { Ok(()) } else { self.unexpected(&format!("`{word}`")) }
    }

    pub(super) fn expect_arrow(&mut self) -> Parse<()> {
        if self.token() == Token::Arrow {
            self.advance();
            return Ok(());
        }
        self.unexpected("`->`")
    }

    /// Parses items separated by commas up to a closing character, which is consumed.
    pub(super) fn list(&mut self, close: char, mut item: impl FnMut(&mut Self) -> Parse<()>) -> Parse<()> {
        if self.eat(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.eat(close) {
                return Ok(());
            }
            if matches!(self.token(), Token::Value(_) | Token::Bang(_) | Token::Integer(_))
                && !self.is_on_next_line()
            {
                return self.missing(',', &format!("`,` or `{close}`"));
            }
            if !self.eat(',') {
                return self.unexpected_in_list(close, &format!("`,` or `{close}`"));
            }
        }
    }

    /// Reports that a list neither continues nor ends at the current token.
    pub(super) fn unexpected_in_list<T>(&mut self, close: char, wanted: &str) -> Parse<T> {
        let ends =
            matches!(self.token(), Token::Word(_) | Token::Arrow | Token::Punct(':' | '=' | ')' | ']' | '}'));
        match self.partner(close) {
            Some(open) if (ends || self.is_on_next_line()) && self.misspelt().is_none() => {
                self.unclosed(open, wanted, close)
            }
            _ => self.unexpected(wanted),
        }
    }

    /// Reports an unexpected token: as a misspelt word if it is similar to a word that the grammar allows here.
    pub(super) fn unexpected<T>(&mut self, wanted: &str) -> Parse<T> {
        if let Some(word) = self.misspelt() {
            let span = self.span();
            let error = Diagnostic::error(&rules::text::SYNTAX, format!("unknown keyword `{word}`")).at(span);
            let known = std::mem::take(&mut self.tried.words);
            return self.fail(suggest(error, Some(span), word, known.into_iter()));
        }
        let error = self.expected(wanted);
        self.fail(error)
    }

    /// Reports that a word is expected that begins with one of `words`.
    pub(super) fn unexpected_word<T>(&mut self, wanted: &str, words: &[&'static str]) -> Parse<T> {
        for word in words {
            self.at_word(word);
        }
        self.unexpected(wanted)
    }

    /// Reports that a bracket of the current statement is not closed.
    fn unclosed<T>(&mut self, open: Span, wanted: &str, close: char) -> Parse<T> {
        let end = self.cursor.previous_end() as u32;
        let bracket = &self.cursor.source()[open.start as usize..open.end as usize];
        let error = self.expected(wanted).with_label(open, format!("this `{bracket}` is not closed"));
        let error = error.with_help(format!("close it with `{close}`"));
        self.fail(error.with_edit(Span::new(end, end), close.to_string()))
    }

    /// The error on the current token; on the end of the line if the token is on a later one.
    pub(super) fn expected(&self, wanted: &str) -> Diagnostic {
        let (mut span, mut found) = (self.span(), self.found());
        if self.is_on_next_line() && self.token() != Token::End {
            let end = self.cursor.previous_end() as u32;
            (span, found) = (Span::new(end, end), "the end of the line".to_owned());
        }
        Diagnostic::error(&rules::text::SYNTAX, format!("expected {wanted}, found {found}")).at(span)
    }

    /// Whether the current statement has begun on an earlier line than the current token.
    pub(super) fn is_on_next_line(&self) -> bool {
        let (before, here) = (self.cursor.previous_end(), self.cursor.start());
        here > self.statement && before < here && self.cursor.source()[before..here].contains('\n')
    }

    /// The current word, if it is similar to a word that the grammar allows here.
    fn misspelt(&self) -> Option<&'a str> {
        let Token::Word(word) = self.token() else { return None };
        let known = self.tried.words.iter().copied().filter(|known| *known != word);
        (self.tried.at == self.cursor.start() && nearest(word, known).is_some()).then_some(word)
    }

    /// A description of the current token, for messages.
    fn found(&self) -> String {
        let span = self.span();
        let text = &self.cursor.source()[span.start as usize..span.end as usize];
        match self.token() {
            Token::End => "the end of the file".into(),
            _ if text.len() > 60 => {
                let end = (0..=57).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
                format!("`{}...`", &text[..end])
            }
            _ => format!("`{text}`"),
        }
    }

    /// The innermost bracket of the current statement that is open here, if `close` closes it. Brackets are counted
    /// for errors only, so they are not tracked while parsing.
    fn partner(&self, close: char) -> Option<Span> {
        let opens = |character: char| match character {
            ')' => Some('('),
            ']' => Some('['),
            '}' => Some('{'),
            '>' => Some('<'),
            _ => None,
        };
        let wanted = opens(close)?;
        let mut comments = Comments::default();
        let mut ahead = self.cursor.clone();
        ahead.jump(self.statement, &mut comments);
        let mut open = Vec::new();
        while ahead.start() < self.cursor.start() && ahead.token() != Token::End {
            if let Token::Punct(character) = ahead.token() {
                match opens(character) {
                    Some(partner) => drop(open.pop_if(|(known, _)| *known == partner)),
                    None if "([{<".contains(character) => open.push((character, ahead.span())),
                    None => {}
                }
            }
            ahead.advance(&mut comments);
        }
        open.last().filter(|(character, _)| *character == wanted).map(|(_, span)| *span)
    }

    /// Expects the comma before the type of operand `index` in a list of types, one for each operand.
    pub(super) fn expect_next_type(&mut self, operands: &[Operand], index: usize) -> Parse<()> {
        if index == 0 || self.eat(',') {
            return Ok(());
        }
        let ends = matches!(self.token(), Token::End | Token::Arrow | Token::Punct(')' | ']' | '}'));
        if !ends && !self.is_on_next_line() {
            return match self.token() {
                Token::Bang(_) | Token::Word(_) => self.missing(',', "`,`"),
                _ => self.unexpected("`,`"),
            };
        }
        let verb = if index == 1 { "type is" } else { "types are" };
        let message = format!("{} operands have a type each, but {index} {verb} written", operands.len());
        let mut error = Diagnostic::error(&rules::text::SYNTAX, message);
        let end = self.cursor.previous_end() as u32;
        let mut missing = Some(String::new());
        for operand in &operands[index..] {
            let text = self.type_in_words(operand);
            missing = missing.zip(text).map(|(known, text)| format!("{known}, {text}"));
        }
        let name = self.name_of(operands[index].value);
        error = error.at_with(operands[index].span, format!("the type of `%{name}` is missing"));
        if let Some(missing) = missing {
            error = error.with_help(format!("add `{missing}`")).with_edit(Span::new(end, end), missing);
        }
        self.fail(error)
    }

    /// The type of a defined operand in source notation.
    pub(super) fn type_in_words(&self, operand: &Operand) -> Option<String> {
        let ty = self.type_of(operand.value);
        (ty != self.poison).then(|| self.type_name(ty))
    }

    /// The source notation of a type: its alias, if there is one.
    pub(super) fn type_name(&self, ty: TypeId) -> String {
        let aliases = self.type_aliases.iter().filter(|(_, known)| **known == ty);
        let alias = aliases.map(|(name, _)| format!("!{name}")).min();
        alias.unwrap_or_else(|| type_text(&self.module.types, ty))
    }
}
