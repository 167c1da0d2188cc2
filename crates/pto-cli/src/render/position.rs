//! Conversion of byte offsets to lines and columns.

use pto::diag::Span;
use std::ops::Range;

/// A position in a text. Lines and columns count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line number.
    pub line: usize,
    /// Column in characters.
    pub column: usize,
}

/// A source text with its name and the offsets of its lines.
#[derive(Clone, Debug)]
pub struct SourceText<'a> {
    name: &'a str,
    text: &'a str,
    /// Byte offset of each line; never empty.
    starts: Vec<usize>,
}

impl<'a> SourceText<'a> {
    /// The text of the file `name`.
    pub fn new(name: &'a str, text: &'a str) -> SourceText<'a> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        SourceText { name, text, starts }
    }

    /// The name of the file, as the user gave it.
    pub fn name(&self) -> &'a str {
        self.name
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The position of a byte; the end of the text for an offset beyond it.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.floor(offset);
        let line = self.line_of(offset);
        let column = self.text[self.starts[line]..offset].chars().count() + 1;
        Position { line: line + 1, column }
    }

    /// The positions of the first character of `span` and of the one after its last.
    pub fn positions(&self, span: Span) -> (Position, Position) {
        let range = self.range(span);
        (self.position(range.start), self.position(range.end))
    }

    /// `span` as a range of the text that starts and ends between characters.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        let start = self.floor(span.start as usize);
        start..self.floor(span.end as usize).max(start)
    }

    /// The number, from 0, of the line that contains `offset`.
    pub(super) fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    /// The byte range of line `line`, from 0, without its line break.
    pub(super) fn line_range(&self, line: usize) -> Range<usize> {
        let start = self.starts[line];
        let end = self.starts.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let text = self.text[start..end].trim_end_matches('\r');
        start..start + text.len()
    }

    fn floor(&self, offset: usize) -> usize {
        self.text.floor_char_boundary(offset)
    }
}
