//! Diagnostics as SARIF 2.1.0, for code hosts and editors.

use super::SourceText;
use super::authored::{Authored, authored_here};
use super::explained;
use crate::judged::Judged;
use pto::diag::{Diagnostic, Edit, Severity, Span};
use pto::isa::rule::RuleId;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// One run of `pto` over programs.
///
/// Errors are `error`, extensions `warning`, lints `note`. Notes and help follow the message in its text. Broken rules
/// have descriptors: statement, reason, remedy and the address of their source. The edits of a finding are one fix. An
/// error in data, such as a file that cannot be read, is a notification of the invocation.
pub fn to_sarif(judged: &[Judged]) -> Value {
    let all =
        || judged.iter().flat_map(|program| program.findings.iter().map(move |finding| (program, finding)));
    let ids: BTreeMap<String, RuleId> = all().map(|(_, d)| (d.rule.to_string(), d.rule)).collect();
    let rules: Value = ids.values().map(descriptor).collect();
    let names: Vec<String> = ids.into_keys().collect();
    let results: Vec<Value> = judged
        .iter()
        .flat_map(|program| {
            let source = program.source();
            program.findings.iter().map(|finding| result(&source, finding, &names)).collect::<Vec<_>>()
        })
        .collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "pto",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "invocations": [invocation(judged)],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// The run of the command. It counts as successful if every program could be judged, even with findings.
fn invocation(judged: &[Judged]) -> Value {
    let notifications: Vec<Value> = judged
        .iter()
        .filter_map(|program| {
            let error = program.error.as_ref()?;
            let location = location(&program.source(), None);
            Some(json!({ "level": "error", "message": { "text": error }, "locations": [location] }))
        })
        .collect();
    let arguments: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    json!({
        "executionSuccessful": notifications.is_empty(),
        "exitCode": i32::from(judged.iter().any(|program| !program.passed)),
        "arguments": arguments,
        "toolExecutionNotifications": notifications,
    })
}

/// The descriptor of a rule.
fn descriptor(id: &RuleId) -> Value {
    let rule = id.rule;
    let command = format!("pto explain {id}");
    let mut descriptor = json!({
        "id": id.to_string(),
        "name": id.to_string(),
        "shortDescription": { "text": rule.statement },
        "fullDescription": { "text": format!("{} {}", rule.statement, rule.reason).trim_end() },
        "help": {
            "text": format!("{}\n`{command}` says more.", rule.remedy).trim_start(),
            "markdown": format!("{}\n\n{}\n\n`{command}` says more.", rule.reason, rule.remedy).trim_start(),
        },
        "properties": { "source": rule.source },
    });
    if let Some(address) = address(rule.source) {
        descriptor["helpUri"] = json!(address);
    }
    descriptor
}

/// Folders of public repositories in which the sources of rules are, with their addresses.
const PUBLIC: [(&str, &str); 3] = [
    ("docs/isa/", "https://github.com/hw-native-sys/pto-isa/blob/main/"),
    ("include/pto/", "https://github.com/hw-native-sys/pto-isa/blob/main/"),
    ("docs/PTO_IR_manual.md", "https://github.com/hw-native-sys/PTOAS/blob/main/"),
];

/// The public address of a rule's source; `None` for our own pages, which `pto explain` shows.
fn address(source: &str) -> Option<String> {
    // After the path, a source may name a part of the page.
    let path = source.split([' ', ',', ';']).next()?;
    if path.starts_with("https://") {
        return Some(path.to_owned());
    }
    let (_, base) = PUBLIC.iter().find(|(folder, _)| path.starts_with(folder))?;
    Some(format!("{base}{path}"))
}

fn result(source: &SourceText<'_>, diagnostic: &Diagnostic, names: &[String]) -> Value {
    let diagnostic = &explained(diagnostic);
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Refused | Severity::Extension => "warning",
        Severity::Lint => "note",
    };
    let mut text = diagnostic.message.clone();
    for note in &diagnostic.notes {
        let _ = write!(text, "\nnote: {note}");
    }
    for help in &diagnostic.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    let rule = diagnostic.rule.to_string();
    let mut result = json!({
        "ruleId": rule,
        "level": level,
        "message": { "text": text },
        "locations": [location(source, diagnostic.primary.as_ref().map(|l| l.span))],
    });
    // Location in the author's file, if that file was checked too; otherwise only the location in the program.
    if let Some(Authored { file, line, column }) = authored_here(diagnostic, source) {
        let program = result["locations"][0].take();
        let region = json!({ "startLine": line, "startColumn": column });
        let place = json!({ "artifactLocation": { "uri": uri(&file) }, "region": region });
        result["locations"] = json!([{ "physicalLocation": place }]);
        result["relatedLocations"] = json!([program]);
    }
    if let Ok(index) = names.binary_search(&rule) {
        result["ruleIndex"] = json!(index);
    }
    if !diagnostic.secondary.is_empty() {
        let related = diagnostic.secondary.iter().map(|label| {
            let mut location = location(source, Some(label.span));
            location["message"] = json!({ "text": label.message });
            location
        });
        let known = result["relatedLocations"].as_array().cloned().unwrap_or_default();
        result["relatedLocations"] = known.into_iter().chain(related).collect();
    }
    if !diagnostic.edits.is_empty() {
        let replacements: Value = diagnostic.edits.iter().map(|edit| replacement(source, edit)).collect();
        let description = diagnostic.help.first().map_or(diagnostic.rule.rule.remedy, String::as_str);
        result["fixes"] = json!([{
            "description": { "text": description },
            "artifactChanges": [{
                "artifactLocation": { "uri": uri(source.name_of(diagnostic.edits.first().map(|edit| edit.span))) },
                "replacements": replacements,
            }],
        }]);
    }
    result
}

fn replacement(source: &SourceText<'_>, edit: &Edit) -> Value {
    json!({
        "deletedRegion": region(source, edit.span),
        "insertedContent": { "text": edit.replacement },
    })
}

fn location(source: &SourceText<'_>, span: Option<Span>) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(source.name_of(span)) } });
    if let Some(span) = span {
        physical["region"] = region(source, span);
    }
    json!({ "physicalLocation": physical })
}

fn region(source: &SourceText<'_>, span: Span) -> Value {
    let (start, end) = source.positions(span);
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

/// A file name as a URI reference: relative paths unchanged, absolute ones with a scheme.
fn uri(name: &str) -> String {
    let mut out = String::from(if name.starts_with('/') { "file://" } else { "" });
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                out.push(byte as char)
            }
            // The path separator of Windows.
            b'\\' if cfg!(windows) => out.push('/'),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
