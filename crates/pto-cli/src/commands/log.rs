//! `pto run --log`: the log of a run as text.

use super::Text;
use crate::output::write_streamed;
use crate::render::SourceText;
use pto::data::Failure;
use pto::diag::{Diagnostic, Span};
use pto::log::{FOOTER, HEADER, Log, Position, Recorder};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Sets the positions of entries.
pub(super) fn locate(log: &mut Log, text: &Text) {
    log.locate(positions(text));
}

/// The positions of spans in a program.
fn positions(text: &Text) -> impl Fn(Span) -> Position {
    let source = SourceText::new(&text.name, &text.text);
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    move |span| {
        let place = source.position(span.start as usize);
        Position { line: number(place.line), column: number(place.column) }
    }
}

/// Runs, and writes the log as text in the meantime: a line for each entry. A run that stops leaves the file as it was.
pub(super) fn write<T>(
    source: &Text,
    path: &Path,
    run: impl FnOnce(&mut Recorder<'_>) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Failure> {
    let mut ran = Err(Vec::new());
    let written = write_streamed(path, |out| {
        let (position, mut known) = (positions(source), BTreeMap::new());
        let (mut written, mut count) = (writeln!(out, "{HEADER}"), 0u64);
        let mut recorder = Recorder::passing_on(|mut entry| {
            let at = entry.span.start;
            entry.position = *known.entry(at).or_insert_with(|| position(entry.span));
            count += 1;
            if written.is_ok() {
                written = writeln!(out, "{entry}");
            }
        });
        ran = run(&mut recorder);
        drop(recorder);
        written?;
        match &ran {
            Ok(_) => writeln!(out, "{FOOTER}{count}"),
            Err(_) => Err(io::Error::other("the run has stopped")),
        }
    });
    match (ran, written) {
        (Err(findings), _) if !findings.is_empty() => Err(findings.into()),
        (_, Err(error)) => Err(error.into()),
        (ran, Ok(())) => Ok(ran?),
    }
}
