//! Findings as commands of GitHub Actions, which marks them in the changed files.

use super::authored::{Authored, authored_here};
use super::explained;
use crate::judged::Judged;
use pto::diag::{Diagnostic, Severity};

/// One command a line for each finding and each error in data: `::error file=k.pto,line=3,...::message`.
pub fn to_github(judged: &[Judged]) -> String {
    let mut out = String::new();
    for program in judged {
        for finding in &program.findings {
            out.push_str(&command(program, finding));
        }
        if let Some(error) = &program.error {
            let file = property(&program.file);
            out.push_str(&format!("::error file={file}::{}\n", data(error)));
        }
    }
    out
}

fn command(program: &Judged, finding: &Diagnostic) -> String {
    let level = match finding.severity {
        Severity::Error => "error",
        Severity::Refused | Severity::Extension => "warning",
        Severity::Lint => "notice",
    };
    let source = program.source();
    if let Some(Authored { file, line, column }) = authored_here(finding, &source) {
        let place = format!("file={},line={line},endLine={line},col={column}", property(&file));
        return annotation(level, &place, finding);
    }
    let file = source.name_of(finding.primary.as_ref().map(|label| label.span));
    let mut place = format!("file={}", property(file));
    if let Some(label) = &finding.primary {
        let (start, end) = source.positions(label.span);
        place.push_str(&format!(",line={},endLine={}", start.line, end.line));
        // Columns are only understood within one line, where the end is inclusive.
        if start.line == end.line {
            place.push_str(&format!(
                ",col={},endColumn={}",
                start.column,
                end.column.max(start.column + 1) - 1
            ));
        }
    }
    annotation(level, &place, finding)
}

fn annotation(level: &str, place: &str, finding: &Diagnostic) -> String {
    let mut text = finding.message.clone();
    // An annotation has one place: findings of the same cause are named.
    for folded in &finding.folded {
        text.push_str(&format!("\nsame cause: {}: {}", folded.rule, folded.message));
    }
    let finding = explained(&Diagnostic { folded: Vec::new(), ..finding.clone() });
    for note in &finding.notes {
        text.push_str(&format!("\nnote: {note}"));
    }
    for help in &finding.help {
        text.push_str(&format!("\nhelp: {help}"));
    }
    let title = property(&finding.rule.to_string());
    format!("::{level} {place},title={title}::{}\n", data(&text))
}

/// The text after the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
