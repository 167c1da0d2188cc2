//! The text of a program, with places in it.

use crate::errors::DataError;
use pto::observe::Dump;
use pyo3::prelude::*;

/// A program's text, with a name for messages.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Text {
    /// The path, or `<text>`.
    pub(crate) name: String,
    /// The program.
    pub(crate) text: String,
}

/// Where the lines of a text begin, for many questions about one text.
pub(crate) struct Lines(Vec<u32>);

impl Lines {
    /// The line of a byte, from 1.
    pub(crate) fn of(&self, byte: u32) -> usize {
        1 + self.0.partition_point(|end| *end < byte)
    }
}

impl Text {
    /// The lines of the text.
    pub(crate) fn lines(&self) -> Lines {
        Lines(self.text.match_indices('\n').map(|(at, _)| at as u32).collect())
    }

    /// Line and column of a byte, both from 1; the column counts characters.
    pub(crate) fn position(&self, byte: u32) -> (usize, usize) {
        let before = self.text.get(..byte as usize).unwrap_or(&self.text);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }

    /// A line, from 1.
    pub(crate) fn line(&self, number: usize) -> Option<&str> {
        self.text.lines().nth(number.checked_sub(1)?)
    }

    /// The request for a tile after the operations of a line; without a line, after the last one that names the tile.
    pub(crate) fn request(&self, tile: &str, line: Option<usize>) -> PyResult<Dump> {
        let tile = tile.strip_prefix('%').unwrap_or(tile);
        let is_named = |text: &str| names(text).any(|name| name == tile);
        if !is_named(&self.text) {
            let near = pto::diag::nearest(tile, names(&self.text));
            let hint = near.map_or(String::new(), |near| format!("; did you mean `%{near}`?"));
            return Err(DataError::new_err(format!("the program has no `%{tile}`{hint}")));
        }
        let mut lines: Vec<(u32, &str)> = Vec::new();
        let mut start = 0;
        for text in self.text.split_inclusive('\n') {
            lines.push((start, text));
            start += text.len() as u32;
        }
        let found = match line {
            Some(line) => line.checked_sub(1).and_then(|at| lines.get(at)),
            None => lines.iter().rev().find(|(_, text)| is_named(text)),
        };
        let (from, text) = found.ok_or_else(|| {
            let line = line.unwrap_or_default();
            DataError::new_err(format!("{} has {} lines, no line {line}", self.name, lines.len()))
        })?;
        Ok(Dump { tile: tile.to_owned(), from: *from, to: from + text.len() as u32 })
    }
}

/// The names of values in a text, without `%`.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || "_$.-".contains(c);
    text.split('%').skip(1).map(move |rest| rest.split(|c| !is_part(c)).next().unwrap_or(rest))
}

/// Text in HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
