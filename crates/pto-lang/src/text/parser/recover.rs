//! Error recovery: where parsing continues after an error.

use super::Parser;
use crate::text::cursor::{Comments, Token};
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::registry::Op;
use pto_isa::rules;

/// The operations of loops and branches, whose lines end in the brace of their first region.
const REGIONS: [Op; 3] = [Op::SCF_FOR, Op::SCF_IF, Op::SCF_WHILE];

impl<'a> Parser<'a> {
    /// After an error in the line of an operation that ends in `{`, parses the region. The values that the line defines,
    /// such as `%i =`, have no known type there.
    pub(super) fn parse_regions_of_failed(&mut self) {
        let has_regions = self.named.is_some_and(|op| REGIONS.contains(&op));
        let Some(open) = self.brace_at_line_end().filter(|_| has_regions) else { return };
        let poison = self.poison;
        let names = self.names_before(open).into_iter().map(|(name, span)| (name, poison, span)).collect();
        self.jump(open);
        let mut arguments = Some(names);
        // A second region follows a word, as in `} else {`.
        while self.parse_region(arguments.take()).is_ok() && self.eat_word("else") {}
    }

    /// Reports a semicolon or a comment of C, and skips it; returns whether it did. Several semicolons are one error.
    pub(super) fn skip_foreign(&mut self) -> bool {
        let (source, span) = (self.cursor.source(), self.span());
        if self.at(';') {
            let error = Diagnostic::error(&rules::text::SYNTAX, "a line ends without `;`").at(span);
            let error = error.with_help("remove it").with_edit(span, "");
            match self.diagnostics.iter_mut().find(|known| known.message == error.message) {
                Some(known) => known.edits.extend(error.edits),
                None => self.report(error),
            }
            self.advance();
            return true;
        }
        let Some(comment) = source[span.start as usize..].strip_prefix("/*") else { return false };
        let length = comment.find("*/").map_or(comment.len() + 2, |at| at + 4);
        let end = span.start as usize + length;
        let whole = Span::new(span.start, end as u32);
        let mut error = Diagnostic::error(&rules::text::SYNTAX, "a comment begins with `//`").at(whole);
        let rest = source[end..].lines().next().unwrap_or_default();
        if !source[whole.start as usize..end].contains('\n')
            && rest.trim().is_empty()
            && comment.contains("*/")
        {
            let (open, close) =
                (Span::new(whole.start, whole.start + 2), Span::new(whole.end - 2, whole.end));
            error = error.with_edit(open, "//").with_edit(close, "");
        }
        self.report(error.with_help("write `//` before each line of the comment"));
        self.jump(end);
        true
    }

    /// The offset of a `{` that ends the line of the statement.
    fn brace_at_line_end(&self) -> Option<usize> {
        let source = self.cursor.source();
        let line = source[self.statement..].lines().next()?;
        let code = line.split("//").next()?.trim_end();
        let open = self.statement + code.strip_suffix('{')?.len();
        (open >= self.cursor.start()).then_some(open)
    }

    /// The values before `=` between the name of the operation and byte `end`.
    fn names_before(&self, end: usize) -> Vec<(&'a str, Span)> {
        let mut comments = Comments::default();
        let mut ahead = self.cursor.clone();
        ahead.jump(self.statement, &mut comments);
        // The results come first.
        while ahead.start() < end && !matches!(ahead.token(), Token::Word(_)) {
            ahead.advance(&mut comments);
        }
        let mut names: Vec<(&'a str, Span)> = Vec::new();
        let mut first = self.named == Some(Op::SCF_FOR);
        while ahead.start() < end {
            let (token, span) = (ahead.token(), ahead.span());
            ahead.advance(&mut comments);
            if let Token::Value(name) = token
                && (first || ahead.token() == Token::Punct('='))
                && names.iter().all(|(known, _)| *known != name)
            {
                names.push((name, span));
                first = false;
            }
        }
        names
    }

    /// Skips to the next token that begins a line and looks like the start of an operation.
    pub(super) fn skip_to_statement(&mut self) {
        let mut depth = 0u32;
        loop {
            let line_start = self.at_line_start();
            match self.token() {
                Token::End => return,
                Token::Punct('}') if depth == 0 => return,
                Token::Punct('}') => depth -= 1,
                Token::Punct('{') => depth += 1,
                Token::Block(_) if line_start && depth == 0 => return,
                Token::Value(_) | Token::Text(_) if line_start && depth == 0 => return,
                Token::Word(word) if line_start && depth == 0 && begins_operation(word) => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips to the next item after an error outside a function, past braces that close after the error, such as
    /// those of the body of a function with a bad argument.
    pub(super) fn skip_to_item(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.token() {
                Token::End => return,
                Token::Punct('}') if depth == 0 => return,
                Token::Punct('}') => depth -= 1,
                Token::Punct('{') => depth += 1,
                Token::Word("module" | "func.func" | "builtin.module") => return,
                Token::Bang(_) | Token::Hash(_) if depth == 0 && self.at_line_start() => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// Whether only blanks precede the current token on its line.
    fn at_line_start(&self) -> bool {
        let before = self.cursor.source()[..self.cursor.start()].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }
}

fn begins_operation(word: &str) -> bool {
    let plain = [Op::FUNC_RETURN, Op::FUNC_CALL, Op::TASSIGN];
    word.contains('.') || word == "module" || Op::find_spelling(word).is_some_and(|op| plain.contains(&op))
}
