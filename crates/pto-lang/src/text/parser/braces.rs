//! Missing and superfluous braces of regions and modules, located by the indentation of the lines.

use super::{Parse, Parser};
use crate::text::cursor::Token;
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::registry::Op;
use pto_isa::rules;

impl Parser<'_> {
    /// Parses the `{` of a region. If the line ends without it, it is reported, and the region begins there.
    pub(super) fn expect_region(&mut self) -> Parse<()> {
        if self.at('{') || !self.is_on_next_line() || self.token() == Token::End {
            return self.expect('{');
        }
        let end = self.cursor.previous_end() as u32;
        let error = self.expected("`{`").with_help("add the missing `{`");
        self.report(error.with_edit(Span::new(end, end), " {"));
        Ok(())
    }

    /// Parses the `}` of a region or a module whose `{` is at `open`, or reports that it is missing.
    pub(super) fn close(&mut self, open: Span) {
        let close = self.span();
        if !self.eat('}') {
            if !self.stop {
                // The text lacks one closing brace: indentation shows which one.
                let error = Diagnostic::error(&rules::text::SYNTAX, "this `{` is not closed");
                let help = "add its `}`: the next one is indented as that of an outer `{`";
                let error = match self.open_brace.take() {
                    Some(open) => error.at(open).with_help(help),
                    None => error.at(open),
                };
                self.report(error);
            }
            return;
        }
        let (before, here) = (self.indentation(open), self.indentation(close));
        match before.zip(here) {
            Some((before, (here, true))) if here < before.0 => {
                self.open_brace = self.open_brace.or(Some(open))
            }
            Some((before, (here, true))) if here > before.0 => self.deep_brace = Some(close),
            _ => {}
        }
    }

    /// The number of blanks at the start of the line of a brace, and whether the brace follows them.
    fn indentation(&self, brace: Span) -> Option<(usize, bool)> {
        let before = self.cursor.source().get(..brace.start as usize)?;
        let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        Some((blanks, blanks == line.len()))
    }

    /// Reports an operation outside of a function after a brace that closed the function early.
    pub(super) fn after_brace<T>(&mut self) -> Parse<T> {
        let here = self.span();
        self.closed_early = true;
        let brace = self.deep_brace.take().unwrap_or(here);
        let error =
            Diagnostic::error(&rules::text::SYNTAX, "this `}` closes the function, and operations follow");
        let error = error.at(brace).with_label(here, "this operation is in no function");
        self.fail(error.with_help("remove the `}`, or open its region").with_edit(brace, ""))
    }
}

/// Whether a word is the name of an operation other than `module` and `func.func`.
pub(super) fn is_operation(word: &str) -> bool {
    Op::find_spelling(word).is_some()
}
