//! Tokens of C++ text, as far as a search for launches needs them.
//!
//! The lexer recognizes text that may hide a `<<<` (comments, literals, preprocessor lines), operators that contain `<`
//! or `>` without being brackets (`->`, `<<`, `<=`, `>=`), and words. Everything else is a token of one byte. Bytes above
//! 127 count as letters, so a token begins and ends between characters.

use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Word,
    /// A number, a character or a string.
    Literal,
    /// `<<<`, neither followed nor preceded by another `<`.
    Launch,
    /// `::`.
    Scope,
    /// `->` or `.`.
    Member,
    /// An operator of several characters that contains `<` or `>` and is not a bracket.
    Operator,
    /// A whole preprocessor line with its continuations.
    Directive,
    /// Any other byte.
    Byte(u8),
}

/// A token.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// Byte range in the text.
    pub(crate) span: Range<usize>,
}

/// The tokens of a part of a text. In a part without `directives` a `#` is an ordinary byte: the body of a macro is such a part.
pub(crate) fn tokens(text: &str, part: Range<usize>, directives: bool) -> Vec<Token> {
    let mut lexer = Lexer { bytes: &text.as_bytes()[..part.end], at: part.start, at_line_start: directives };
    let mut found = Vec::new();
    while let Some(token) = lexer.token(directives) {
        found.push(token);
    }
    found
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether only white space and comments precede in this line.
    at_line_start: bool,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn starts_with(&self, text: &str) -> bool {
        self.bytes[self.at..].starts_with(text.as_bytes())
    }

    fn token(&mut self, directives: bool) -> Option<Token> {
        self.skip_space(directives);
        let start = self.at;
        let first = *self.bytes.get(start)?;
        let is_directive = first == b'#' && self.at_line_start;
        self.at_line_start = false;
        let kind = match first {
            b'#' if is_directive => self.directive(),
            b'"' | b'\'' => self.literal(first),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            _ if is_letter(first) => self.word(),
            _ => self.punctuation(first),
        };
        Some(Token { kind, span: start..self.at })
    }

    /// Skips white space, comments and the ends of continued lines.
    fn skip_space(&mut self, directives: bool) {
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\n' => {
                    self.at_line_start = directives;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.continuation() > 0 => self.at += self.continuation(),
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => self.skip_comment(),
                _ => return,
            }
        }
    }

    /// The bytes of a backslash that ends its line, with the end of the line; 0 if there is none here.
    fn continuation(&self) -> usize {
        match (self.peek(0), self.peek(1), self.peek(2)) {
            (b'\\', b'\n', _) => 2,
            (b'\\', b'\r', b'\n') => 3,
            _ => 0,
        }
    }

    /// Skips to the end of the line, or of its last continuation.
    fn skip_line(&mut self) {
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            self.at += self.continuation().max(1);
        }
    }

    /// Skips a comment; one that does not end takes the rest of the text.
    fn skip_comment(&mut self) {
        self.at += 2;
        while self.at < self.bytes.len() && !self.starts_with("*/") {
            self.at += 1;
        }
        self.at = (self.at + 2).min(self.bytes.len());
    }

    /// A preprocessor line. Comments in it may span lines; quotes in it, such as the apostrophe of an `#error`, need not be in pairs.
    fn directive(&mut self) -> Kind {
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            match (self.peek(0), self.peek(1)) {
                (b'/', b'*') => self.skip_comment(),
                (b'/', b'/') => self.skip_line(),
                _ => self.at += self.continuation().max(1),
            }
        }
        Kind::Directive
    }

    /// A string or a character. One that does not end takes the rest of its line.
    fn literal(&mut self, quote: u8) -> Kind {
        self.at += 1;
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            let byte = self.peek(0);
            let escaped = if byte == b'\\' { self.continuation().max(2) } else { 1 };
            self.at = (self.at + escaped).min(self.bytes.len());
            if byte == quote {
                break;
            }
        }
        Kind::Literal
    }

    /// A number, with its separators (`1'000`), exponents (`1e-3`) and suffixes.
    fn number(&mut self) -> Kind {
        while self.at < self.bytes.len() {
            match (self.peek(0), self.peek(1)) {
                (b'e' | b'E' | b'p' | b'P', b'+' | b'-') => self.at += 2,
                (b'\'', next) if is_word(next) => self.at += 2,
                (b'.', _) => self.at += 1,
                (byte, _) if is_word(byte) => self.at += 1,
                _ => break,
            }
        }
        Kind::Literal
    }

    /// A word, or the literal of which it is the prefix.
    fn word(&mut self) -> Kind {
        let start = self.at;
        while self.at < self.bytes.len() && is_word(self.peek(0)) {
            self.at += 1;
        }
        match (&self.bytes[start..self.at], self.peek(0)) {
            (b"R" | b"LR" | b"uR" | b"UR" | b"u8R", b'"') => self.raw_string(),
            (b"L" | b"u" | b"U" | b"u8", quote @ (b'"' | b'\'')) => self.literal(quote),
            _ => Kind::Word,
        }
    }

    /// `"delimiter( ... )delimiter"`. One that does not end takes the rest of the text.
    fn raw_string(&mut self) -> Kind {
        let rest = &self.bytes[self.at + 1..];
        // A delimiter has at most 16 characters.
        let Some(length) = rest.iter().take(17).position(|byte| *byte == b'(') else {
            return self.literal(b'"');
        };
        let end = [b")", &rest[..length], b"\""].concat();
        let found = rest.windows(end.len()).position(|window| window == end);
        self.at = found.map_or(self.bytes.len(), |place| self.at + 1 + place + end.len());
        Kind::Literal
    }

    fn punctuation(&mut self, first: u8) -> Kind {
        if first == b'<' {
            let run = self.bytes[self.at..].iter().take_while(|byte| **byte == b'<').count();
            // Runs of another length are not C++: conflict markers of a merge, for example.
            if run >= 3 {
                self.at += run;
                return if run == 3 { Kind::Launch } else { Kind::Operator };
            }
        }
        for (text, kind) in OPERATORS {
            if self.starts_with(text) {
                self.at += text.len();
                return kind;
            }
        }
        self.at += 1;
        Kind::Byte(first)
    }
}

/// `>>` is absent: it may end two lists of template arguments.
const OPERATORS: [(&str, Kind); 8] = [
    ("<=>", Kind::Operator),
    ("<<=", Kind::Operator),
    ("<<", Kind::Operator),
    ("<=", Kind::Operator),
    (">=", Kind::Operator),
    ("->", Kind::Member),
    ("::", Kind::Scope),
    (".", Kind::Member),
];

/// Whether a byte begins a word.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 128
}

/// Whether a byte may be in a word.
fn is_word(byte: u8) -> bool {
    is_letter(byte) || byte.is_ascii_digit()
}
