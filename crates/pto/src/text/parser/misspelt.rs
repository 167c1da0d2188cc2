//! Errors on unknown words, with the nearest known word.

use super::{Parse, Parser};
use crate::diag::{Diagnostic, Span};
use crate::ir::TypeId;
use crate::isa::rules;
use crate::text::cursor::Token;
use crate::text::nearest::nearest;
use crate::text::nearest_operation;
use crate::text::tile_body::correction;

impl<'a> Parser<'a> {
    /// Reports an unknown operation.
    pub(super) fn unknown_operation<T>(&mut self, name: &str, span: Span) -> Parse<T> {
        let shown: String = name.chars().take(60).collect();
        let mut diagnostic =
            Diagnostic::error(&rules::text::UNKNOWN_OPERATION, format!("unknown operation `{shown}`"))
                .at(span);
        if let Some(close) = nearest_operation(name) {
            diagnostic = diagnostic.with_help(format!("did you mean `{close}`?")).with_edit(span, close);
        }
        self.fail(diagnostic)
    }

    /// Reports an unknown type.
    pub(super) fn unknown_type(&mut self, word: &str, span: Span) -> Parse<TypeId> {
        const KNOWN: [&str; 17] = [
            "index",
            "i1",
            "i8",
            "i16",
            "i32",
            "i64",
            "ui8",
            "ui16",
            "ui32",
            "ui64",
            "f16",
            "bf16",
            "f32",
            "memref",
            "!pto.tile_buf",
            "!pto.ptr",
            "!pto.tensor_view",
        ];
        let shown: String = word.chars().take(60).collect();
        let message = format!("unknown type `{shown}`");
        let mut diagnostic = Diagnostic::error(&rules::text::UNKNOWN_TYPE, message).at(span);
        if let Some(close) = nearest(word, KNOWN.into_iter()) {
            diagnostic = diagnostic.with_help(format!("did you mean `{close}`?"));
            // The word of a pointer's element type is inside the span.
            if let Some(at) = self.text(span).find(word) {
                let start = span.start + at as u32;
                diagnostic = diagnostic.with_edit(Span::new(start, start + word.len() as u32), close);
            }
        }
        self.fail(diagnostic)
    }

    /// Reports that one of `words` is expected. The current word may be a misspelling.
    pub(super) fn unexpected_word<T>(&mut self, wanted: &str, words: &[&str]) -> Parse<T> {
        let (span, found) = (self.span(), self.found());
        let message = format!("expected {wanted}, found {found}");
        let mut diagnostic = Diagnostic::error(&rules::text::SYNTAX, message).at(span);
        if let Token::Word(word) = self.token()
            && let Some(close) = nearest(word, words.iter().copied())
        {
            diagnostic = diagnostic.with_edit(span, close);
        }
        self.fail(diagnostic)
    }

    /// Reports an unparsable body of a tile type, within `span`.
    pub(super) fn unread_tile_body<T>(&mut self, body: &str, span: Span, message: String) -> Parse<T> {
        let mut diagnostic = Diagnostic::error(&rules::text::TILE_TYPE, message).at(span);
        if let (Some(at), Some((word, close))) = (self.text(span).find(body), correction(body)) {
            let start = span.start + at as u32;
            let word = Span::new(start + word.start as u32, start + word.end as u32);
            diagnostic = diagnostic.with_edit(word, close);
        }
        self.fail(diagnostic)
    }

    fn text(&self, span: Span) -> &'a str {
        &self.cursor.source()[span.start as usize..span.end as usize]
    }
}
