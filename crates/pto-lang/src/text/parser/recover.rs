//! Error recovery: where parsing continues after an error.

use super::Parser;
use crate::text::cursor::Token;
use pto_isa::registry::Op;

impl Parser<'_> {
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
