//! Conversion of byte offsets to lines and columns.

use pto::diag::Span;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

/// A position in a text. Lines and columns count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// Line number.
    pub line: usize,
    /// Column in characters.
    pub column: usize,
}

/// The texts of several files, one after the other, so that a span may point into any of them.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    text: String,
    /// The first byte of each file, with its name.
    files: Vec<(usize, String)>,
}

impl Joined {
    /// Adds a file, and returns its first byte.
    pub fn add(&mut self, name: &str, text: &str) -> usize {
        let start = self.text.len();
        self.files.push((start, name.to_owned()));
        self.text.push_str(text);
        // A file ends with its last line.
        self.text.push('\n');
        start
    }

    /// All texts.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Text after the name of a location in its definition.
const DEFINES: &str = " = loc(";

/// A source text with its name and the offsets of its lines.
#[derive(Clone, Debug)]
pub struct SourceText<'a> {
    text: &'a str,
    /// The first byte of each file, with its name; never empty, and usually one.
    files: Vec<(usize, &'a str)>,
    /// Byte offset of each line; never empty.
    starts: Vec<usize>,
    /// The definitions of locations, `#loc3 = loc(...)`: the byte after the bracket, by name.
    locations: OnceLock<BTreeMap<String, usize>>,
}

impl<'a> SourceText<'a> {
    /// The text of the file `name`.
    pub fn new(name: &'a str, text: &'a str) -> SourceText<'a> {
        SourceText { text, files: vec![(0, name)], starts: starts(text), locations: OnceLock::new() }
    }

    /// Several files.
    pub fn joined(joined: &'a Joined) -> SourceText<'a> {
        let files = joined.files.iter().map(|(start, name)| (*start, name.as_str()));
        // Without files it has no name.
        let files = if joined.files.is_empty() { vec![(0, "")] } else { files.collect() };
        SourceText { text: &joined.text, files, starts: starts(&joined.text), locations: OnceLock::new() }
    }

    /// The name of the file, as the user gave it; of several the first.
    pub fn name(&self) -> &'a str {
        self.files[0].1
    }

    /// The first byte and the name of the file that contains an offset.
    fn file_at(&self, offset: usize) -> (usize, &'a str) {
        self.files[self.files.partition_point(|(start, _)| *start <= offset).saturating_sub(1)]
    }

    /// The name of the file that contains an offset.
    pub(super) fn name_at(&self, offset: usize) -> &'a str {
        self.file_at(offset).1
    }

    /// Name of the file that contains a span; without a span, of the first file.
    pub fn name_of(&self, span: Option<Span>) -> &'a str {
        span.map_or(self.name(), |span| self.name_at(span.start as usize))
    }

    /// The byte of a line and column of the whole text, which is one file; the end of the text beyond it.
    pub fn offset(&self, line: usize, column: usize) -> Option<usize> {
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let mut characters = self.text[start..].char_indices();
        let after = characters.nth(column.checked_sub(1)?);
        Some(after.map_or(self.text.len(), |(at, _)| start + at))
    }

    /// The first byte of the line that contains a byte.
    pub fn offset_of_line(&self, offset: usize) -> usize {
        self.starts[self.line_of(offset)]
    }

    /// The files: the first line of each in the whole text, from 1, and its name.
    pub fn files(&self) -> impl Iterator<Item = (usize, &'a str)> {
        self.files.iter().map(|(start, name)| (self.line_of(*start) + 1, *name))
    }

    /// The number, from 1, that a line of the text has in its file.
    pub(super) fn number_of(&self, line: usize) -> usize {
        line + 1 - self.line_of(self.file_at(self.starts[line]).0)
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The definition of a location, after its bracket.
    pub(super) fn location(&self, name: &str) -> Option<&'a str> {
        let definition = |start: &usize| {
            let line = self.text[*start..].strip_prefix('#')?.lines().next()?;
            let (name, _) = line.split_once(DEFINES)?;
            Some((name.to_owned(), start + 1 + name.len() + DEFINES.len()))
        };
        let all = || self.starts.iter().filter_map(definition).collect();
        self.locations.get_or_init(all).get(name).map(|at| &self.text[*at..])
    }

    /// The position of a byte; the end of the text for an offset beyond it.
    pub fn position(&self, offset: usize) -> Position {
        let offset = self.floor(offset);
        let line = self.line_of(offset);
        let column = self.text[self.starts[line]..offset].chars().count() + 1;
        Position { line: self.number_of(line), column }
    }

    /// Positions of the first character of `span` and of the character after its last.
    pub fn positions(&self, span: Span) -> (Position, Position) {
        let range = self.range(span);
        (self.position(range.start), self.position(range.end))
    }

    /// `span` as a range of the text that starts and ends between characters.
    pub(crate) fn range(&self, span: Span) -> Range<usize> {
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

/// Byte offset of each line of a text.
fn starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}
