//! `pto run --log`: the log of a run as text.

use super::Text;
use crate::render::SourceText;
use pto::diag::Span;
use pto::log::{FOOTER, HEADER, Log, Position};
use std::fmt::Write as _;

/// Bytes of a line, about.
const LINE: usize = 192;

/// Sets the positions of entries.
pub(super) fn locate(log: &mut Log, text: &Text) {
    let source = SourceText::new(&text.name, &text.text);
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    log.locate(|span: Span| {
        let place = source.position(span.start as usize);
        Position { line: number(place.line), column: number(place.column) }
    });
}

/// The log as text: a line for each entry.
pub(super) fn to_text(mut log: Log, source: &Text) -> String {
    locate(&mut log, source);
    let mut text = String::with_capacity(log.len() * LINE + 64);
    let _ = writeln!(text, "{HEADER}");
    for entry in log.entries() {
        let _ = writeln!(text, "{entry}");
    }
    let _ = writeln!(text, "{FOOTER}{}", log.len());
    text
}
