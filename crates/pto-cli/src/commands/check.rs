//! `pto check`.

use super::{Status, Text, check_text, plural, print_diagnostics, print_out, read_text, target};
use crate::args::{CheckArgs, Format};
use crate::error::DataError;
use crate::render::{self, SourceText};
use pto::diag::{Diagnostic, Severity};

pub(super) fn run(args: &CheckArgs) -> Result<Status, DataError> {
    let mut status = Status::Fine;
    let mut found: Vec<(Text, Vec<Diagnostic>)> = Vec::new();
    for path in &args.files {
        let text = match read_text(path) {
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
