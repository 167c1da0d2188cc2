//! Errors on unknown words, with the nearest known word.

use super::{Parse, Parser};
use crate::ir::TypeId;
use crate::text::tile_body::correction;
use pto_isa::diag::{Diagnostic, Span, suggest};
use pto_isa::foreign::{self, suggest_operation};
use pto_isa::rules;

impl<'a> Parser<'a> {
    /// Reports an unknown operation.
    pub(super) fn unknown_operation<T>(&mut self, name: &str, span: Span) -> Parse<T> {
        let shown: String = name.chars().take(60).collect();
        let message = format!("unknown operation `{shown}`");
        let error = Diagnostic::error(&rules::text::UNKNOWN_OPERATION, message).at(span);
        self.fail(suggest_operation(error, span, name))
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
        let error = Diagnostic::error(&rules::text::UNKNOWN_TYPE, message).at(span);
        // The word of a pointer's element type is inside the span.
        let at = self.text(span).find(word).map(|at| span.start + at as u32);
        let at = at.map(|start| Span::new(start, start + word.len() as u32));
        let mut aliases: Vec<String> = self.type_aliases.keys().map(|name| format!("!{name}")).collect();
        aliases.sort_unstable();
        if let (Some(meant), Some(span)) = (foreign::scalar(word), at) {
            let error = error.with_help(format!("the dialect calls this type `{meant}`"));
            return self.fail(error.with_edit(span, meant));
        }
        let known = KNOWN.into_iter().chain(aliases.iter().map(String::as_str));
        self.fail(suggest(error, at, word, known))
    }

    /// Reports an unparsable body of a tile type, within `span`.
    pub(super) fn unread_tile_body<T>(&mut self, body: &str, span: Span, message: String) -> Parse<T> {
        let mut diagnostic = Diagnostic::error(&rules::text::TILE_TYPE, message).at(span);
        if let (Some(at), Some((word, close))) = (self.text(span).find(body), correction(body)) {
            let start = span.start + at as u32;
            let word = Span::new(start + word.start as u32, start + word.end as u32);
            diagnostic =
                diagnostic.at(word).with_help(format!("did you mean `{close}`?")).with_edit(word, close);
        }
        self.fail(diagnostic)
    }

    fn text(&self, span: Span) -> &'a str {
        &self.cursor.source()[span.start as usize..span.end as usize]
    }
}
