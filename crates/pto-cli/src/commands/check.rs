//! `pto check`.

use super::{Status, Text, check_text, plural, print_diagnostics, print_out, read_text, target};
use crate::args::{CheckArgs, Format};
use crate::error::DataError;
use crate::fix;
use crate::output::{Output, write_all};
use crate::render::{self, SourceText};
use pto::diag::{Diagnostic, Severity};
use std::path::Path;

pub(super) fn run(args: &CheckArgs) -> Result<Status, DataError> {
    if args.fix && args.files.iter().any(|path| path == Path::new("-")) {
        let error = DataError::misuse("`--fix` changes files, and stdin is none");
        return Err(error.with_help("write the program to a file first"));
    }
    let mut status = Status::Fine;
    let mut found: Vec<(Text, Vec<Diagnostic>)> = Vec::new();
    for path in &args.files {
        let read = read_text(path).and_then(|text| if args.fix { fixed(args, path, text) } else { Ok(text) });
        let text = match read {
            Ok(text) => text,
            Err(error) => {
                eprintln!("error: {error}");
                status = Status::Wrong;
                continue;
            }
        };
        let findings = match check_text(&text.text, target(args.profile.target), args.profile.strict) {
            Ok((_, findings)) => findings,
            Err(findings) => {
                status = Status::Wrong;
                findings
            }
        };
        if args.format() == Format::Text {
            print_diagnostics(&findings, &text);
            summarize(&text, &findings, args.quiet);
        } else {
            found.push((text, findings));
        }
    }
    let sources: Vec<_> = found.iter().map(|(text, _)| SourceText::new(&text.name, &text.text)).collect();
    match args.format() {
        Format::Text => {}
        Format::Json => {
            let all = sources.iter().zip(&found).flat_map(|(source, (_, findings))| {
                match render::to_json(findings, source) {
                    serde_json::Value::Array(list) => list,
                    other => vec![other],
                }
            });
            print_out(&format!("{:#}\n", serde_json::Value::Array(all.collect())));
        }
        Format::Sarif => {
            let runs: Vec<_> = sources
                .iter()
                .zip(&found)
                .map(|(source, (_, findings))| (source, findings.as_slice()))
                .collect();
            print_out(&format!("{:#}\n", render::to_sarif(&runs)));
        }
    }
    Ok(status)
}

/// Applies the edits of the findings to a file, and says what they were. Returns its new text.
fn fixed(args: &CheckArgs, path: &Path, text: Text) -> Result<Text, DataError> {
    let check = |text: &str| match check_text(text, target(args.profile.target), args.profile.strict) {
        Ok((_, findings)) | Err(findings) => findings,
    };
    let fixed = fix::fix(&text.name, &text.text, check);
    if fixed.changes.is_empty() {
        return Ok(text);
    }
    write_all(&[Output::new(path, fixed.text.as_bytes())])?;
    for change in &fixed.changes {
        eprintln!("{change}");
    }
    Ok(Text { text: fixed.text, ..text })
}

fn summarize(text: &Text, findings: &[Diagnostic], quiet: bool) {
    let findings = render::for_reading(findings);
    let mut errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    let first = errors.next().map(|finding| finding.rule);
    let errors = usize::from(first.is_some()) + errors.count();
    let warnings = findings.len() - errors;
    if let Some(rule) = first {
        eprintln!("{}: {}; `pto explain {rule}` says more", text.name, plural(errors, "error"));
    } else if !quiet {
        let tail = if warnings > 0 { format!(", {}", plural(warnings, "warning")) } else { String::new() };
        eprintln!("{}: legal{tail}", text.name);
    }
}
