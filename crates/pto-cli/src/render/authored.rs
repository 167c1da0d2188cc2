//! The author's line of an operation: `loc("model.py":14:4)` at its end, which compilers such as PyPTO write.

use super::SourceText;
use pto::diag::{Diagnostic, Span};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// A place in the file from which a compiler made a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Authored {
    /// The path of the file as the compiler wrote it.
    pub file: String,
    /// Its line, from 1.
    pub line: usize,
    /// Its column, from 1.
    pub column: usize,
}

/// A line of a program, with the author's place if it names one: `model.py:14 (line 41)`.
pub fn place_in_words(line: usize, origin: Option<&Authored>) -> String {
    match origin {
        Some(Authored { file, line: authored, .. }) => format!("{file}:{authored} (line {line})"),
        None => format!("line {line}"),
    }
}

/// The author's line of a finding; `None` if the line of the finding has no `loc`.
pub fn authored(finding: &Diagnostic, source: &SourceText<'_>) -> Option<Authored> {
    authored_at(finding.primary.as_ref()?.span, source)
}

/// The author's line of a span; `None` if its line has no `loc`.
pub fn authored_at(span: Span, source: &SourceText<'_>) -> Option<Authored> {
    let start = source.range(span).start;
    authored_on(&source.text()[source.line_range(source.line_of(start))], source)
}

/// The places of all lines that name one: `model.py:14`, by line.
pub fn all_authored(source: &SourceText<'_>) -> BTreeMap<usize, String> {
    let lines = source.text().lines().enumerate();
    let place = |(at, line): (usize, &str)| {
        let Authored { file, line, .. } = authored_on(line, source)?;
        Some((at + 1, format!("{file}:{line}")))
    };
    // The definition of an alias names a place for others.
    lines.filter(|(_, line)| !line.starts_with('#')).filter_map(place).collect()
}

/// The place that a line of a source names.
fn authored_on(line: &str, source: &SourceText<'_>) -> Option<Authored> {
    let (_, place) = line.rsplit_once("loc(")?;
    match place.strip_prefix('#') {
        Some(alias) => {
            let name = alias.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
            parsed(source.location(name)?)
        }
        None => parsed(place),
    }
}

/// The author's line of a finding, if that file exists: formats for CI mark it there.
pub(super) fn authored_here(finding: &Diagnostic, source: &SourceText<'_>) -> Option<Authored> {
    authored(finding, source).filter(|place| Path::new(&place.file).is_file())
}

/// Reads `"model.py":14:4)`.
fn parsed(text: &str) -> Option<Authored> {
    let (file, rest) = text.strip_prefix('"')?.split_once('"')?;
    let (line, rest) = rest.strip_prefix(':')?.split_once(':')?;
    let column = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    let known = !file.is_empty() && !file.contains('\n');
    let (line, column): (usize, usize) = (line.parse().ok()?, column.parse().ok()?);
    known.then(|| Authored { file: file.to_owned(), line: line.max(1), column: column.max(1) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use pto::isa::rules;

    fn of(text: &str) -> Option<(String, usize, usize)> {
        let at = text.find("pto.tadd").expect("an operation") as u32;
        let finding = Diagnostic::error(&rules::text::SYNTAX, "wrong").at(Span::new(at, at + 3));
        let source = SourceText::new("k.pto", text);
        authored(&finding, &source).map(|place| (place.file, place.line, place.column))
    }

    #[test]
    fn locations_are_read_in_place_and_by_alias() {
        assert_eq!(of("pto.tadd ins() loc(\"model.py\":14:4)\n"), Some(("model.py".into(), 14, 4)));
        let aliased = "pto.tadd ins() loc(#loc3)\n#loc3 = loc(\"a b.py\":2:1)\n";
        assert_eq!(of(aliased), Some(("a b.py".into(), 2, 1)));
        for other in
            ["pto.tadd\n", "pto.tadd loc(unknown)\n", "pto.tadd loc(#loc3)\n", "pto.tadd loc(\"x\":a:1)"]
        {
            assert_eq!(of(other), None, "{other}");
        }
        let all = all_authored(&SourceText::new("k.pto", aliased)).into_iter().collect::<Vec<_>>();
        assert_eq!(all, [(1, "a b.py:2".to_owned())]);
    }
}
