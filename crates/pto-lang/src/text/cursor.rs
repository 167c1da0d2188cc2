//! Splits a source text into tokens, one at a time, and collects comments.

use crate::ir::Comment;
use pto_isa::diag::Span;

/// One token. Names lack their sigil.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token<'a> {
    /// The end of the text.
    End,
    /// `%name`.
    Value(&'a str),
    /// `@name` or `@"name"`.
    Symbol(&'a str),
    /// `^name`.
    Block(&'a str),
    /// `#name`.
    Hash(&'a str),
    /// `!name`.
    Bang(&'a str),
    /// A word; it may contain dots.
    Word(&'a str),
    /// An unsigned integer, decimal or hexadecimal.
    Integer(&'a str),
    /// An unsigned float.
    Float(&'a str),
    /// The text between quotes, with its escapes.
    Text(&'a str),
    /// `->`.
    Arrow,
    /// One other character.
    Punct(char),
}

/// A position in a source text and the token that starts there.
#[derive(Clone)]
pub struct Cursor<'a> {
    source: &'a str,
    token: Token<'a>,
    start: usize,
    end: usize,
    previous_end: usize,
}

/// The comments seen so far. Separate from [`Cursor`], so that backtracking neither loses nor duplicates them.
#[derive(Default)]
pub struct Comments {
    list: Vec<Comment>,
    seen_to: usize,
}

impl Comments {
    /// The comments in source order.
    pub fn into_list(self) -> Vec<Comment> {
        self.list
    }

    fn add(&mut self, source: &str, start: usize, end: usize) {
        if start < self.seen_to {
            return;
        }
        self.seen_to = end;
        let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let trailing = !source[line_start..start].trim().is_empty();
        let before = source[..line_start].strip_suffix('\n').unwrap_or("");
        let previous_line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        self.list.push(Comment {
            text: source[start..end].trim_end().to_owned(),
            span: Span::new(start as u32, end as u32),
            trailing,
            blank_before: line_start > 0 && previous_line.trim().is_empty(),
        });
    }
}

impl<'a> Cursor<'a> {
    /// A cursor at the first token of `source`.
    pub fn new(source: &'a str, comments: &mut Comments) -> Cursor<'a> {
        let mut cursor = Cursor { source, token: Token::End, start: 0, end: 0, previous_end: 0 };
        cursor.advance(comments);
        cursor
    }

    /// The current token.
    pub fn token(&self) -> Token<'a> {
        self.token
    }

    /// The span of the current token.
    pub(crate) fn span(&self) -> Span {
        Span::new(self.start as u32, self.end as u32)
    }

    /// The byte offset of the current token.
    pub(crate) fn start(&self) -> usize {
        self.start
    }

    /// The byte offset of the end of the previous token.
    pub(crate) fn previous_end(&self) -> usize {
        self.previous_end
    }

    /// The source text.
    pub(crate) fn source(&self) -> &'a str {
        self.source
    }

    /// Advances to the next token.
    pub fn advance(&mut self, comments: &mut Comments) {
        self.previous_end = self.end;
        self.seek(self.end, comments);
    }

    /// Moves to the first token at or after byte `at`.
    pub(crate) fn jump(&mut self, at: usize, comments: &mut Comments) {
        self.previous_end = at;
        self.seek(at, comments);
    }

    fn seek(&mut self, at: usize, comments: &mut Comments) {
        self.start = self.skip_blanks(at, comments);
        (self.token, self.end) = lex(self.source, self.start);
    }

    fn skip_blanks(&self, mut at: usize, comments: &mut Comments) -> usize {
        let bytes = self.source.as_bytes();
        loop {
            match bytes.get(at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => at += 1,
                Some(b'/') if bytes.get(at + 1) == Some(&b'/') => at = self.skip_comment(at, comments),
                Some(b'#') if self.is_hash_comment(at) => at = self.skip_comment(at, comments),
                _ => return at,
            }
        }
    }

    /// Whether a comment starts here: `#` and a blank at the start of a line, as in assembly listings.
    fn is_hash_comment(&self, at: usize) -> bool {
        let before = self.source[..at].trim_end_matches([' ', '\t']);
        let starts_line = before.is_empty() || before.ends_with('\n');
        starts_line && matches!(self.source.as_bytes().get(at + 1), Some(b' ' | b'\t'))
    }

    fn skip_comment(&self, at: usize, comments: &mut Comments) -> usize {
        let end = self.source[at..].find('\n').map_or(self.source.len(), |length| at + length);
        comments.add(self.source, at, end);
        end
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')
}

/// The token at byte `at`, which is not a blank, and the byte offset of its end.
fn lex(source: &str, at: usize) -> (Token<'_>, usize) {
    let bytes = source.as_bytes();
    let Some(&first) = bytes.get(at) else { return (Token::End, at) };
    let word_end = |from: usize| {
        bytes[from..].iter().position(|&byte| !is_word_byte(byte)).map_or(bytes.len(), |length| from + length)
    };
    let name = || {
        let end = word_end(at + 1);
        (&source[at + 1..end], end)
    };
    match first {
        b'%' => {
            let mut end = bytes[at + 1..]
                .iter()
                .position(|&byte| !is_word_byte(byte) && byte != b'-')
                .map_or(bytes.len(), |length| at + 1 + length);
            if bytes[at + 1..end].ends_with(b"-") && bytes.get(end) == Some(&b'>') {
                end -= 1;
            }
            if bytes.get(end) == Some(&b'#') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
                end = word_end(end + 1);
            }
            (Token::Value(&source[at + 1..end]), end)
        }
        b'@' if bytes.get(at + 1) == Some(&b'"') => match lex_text(source, at + 1) {
            (Token::Text(text), end) => (Token::Symbol(text), end),
            _ => (Token::Punct('@'), at + 1),
        },
        b'@' => {
            let (name, end) = name();
            (Token::Symbol(name), end)
        }
        b'^' => {
            let (name, end) = name();
            (Token::Block(name), end)
        }
        b'#' => {
            let (name, end) = name();
            (Token::Hash(name), end)
        }
        b'!' => {
            let (name, end) = name();
            (Token::Bang(name), end)
        }
        b'"' => lex_text(source, at),
        b'-' if bytes.get(at + 1) == Some(&b'>') => (Token::Arrow, at + 2),
        b'0'..=b'9' => lex_number(source, at),
        _ if first.is_ascii_alphabetic() || first == b'_' => {
            let end = word_end(at);
            (Token::Word(&source[at..end]), end)
        }
        _ => {
            let character = source[at..].chars().next().unwrap_or('\u{fffd}');
            (Token::Punct(character), at + character.len_utf8())
        }
    }
}

fn lex_text(source: &str, at: usize) -> (Token<'_>, usize) {
    let bytes = source.as_bytes();
    let mut end = at + 1;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'"' => return (Token::Text(&source[at + 1..end]), end + 1),
            b'\\' => end += 2,
            b'\n' => break,
            _ => end += 1,
        }
    }
    (Token::Punct('"'), at + 1)
}

fn lex_number(source: &str, at: usize) -> (Token<'_>, usize) {
    let bytes = source.as_bytes();
    let digits = |from: usize, ok: fn(&u8) -> bool| {
        bytes[from..].iter().position(|byte| !ok(byte)).map_or(bytes.len(), |length| from + length)
    };
    if bytes[at] == b'0' && bytes.get(at + 1) == Some(&b'x') {
        let end = digits(at + 2, u8::is_ascii_hexdigit);
        if end > at + 2 {
            return (Token::Integer(&source[at..end]), end);
        }
    }
    let mut end = digits(at, u8::is_ascii_digit);
    let mut float = false;
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_none_or(|byte| !byte.is_ascii_alphabetic()) {
        float = true;
        end = digits(end + 1, u8::is_ascii_digit);
    }
    if let Some(b'e' | b'E') = bytes.get(end) {
        let sign = matches!(bytes.get(end + 1), Some(b'+' | b'-')) as usize;
        let exponent = digits(end + 1 + sign, u8::is_ascii_digit);
        if exponent > end + 1 + sign {
            float = true;
            end = exponent;
        }
    }
    let text = &source[at..end];
    (if float { Token::Float(text) } else { Token::Integer(text) }, end)
}
