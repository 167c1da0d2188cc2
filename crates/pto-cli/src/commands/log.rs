//! `pto run --log`: the log of a run as text.

use super::Text;
use crate::output::write_streamed;
use crate::render::SourceText;
use pto::data::DataError;
use pto::diag::Span;
use pto::log::{FOOTER, HEADER, Log, Position};
use std::path::Path;

/// Sets the positions of entries.
pub(super) fn locate(log: &mut Log, text: &Text) {
    let source = SourceText::new(&text.name, &text.text);
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    log.locate(|span: Span| {
        let place = source.position(span.start as usize);
        Position { line: number(place.line), column: number(place.column) }
    });
}

/// Writes the log as text: a line for each entry.
pub(super) fn write(mut log: Log, source: &Text, path: &Path) -> Result<(), DataError> {
    locate(&mut log, source);
    write_streamed(path, |out| {
        writeln!(out, "{HEADER}")?;
        log.entries().try_for_each(|entry| writeln!(out, "{entry}"))?;
        writeln!(out, "{FOOTER}{}", log.len())
    })
}
