//! Diagnostics as SARIF 2.1.0, for code hosts and editors.

use super::SourceText;
use pto::diag::{Diagnostic, Edit, Severity, Span};
use pto::isa::rule::RuleId;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// One run of `pto` over `sources`, each with its diagnostics.
///
/// Errors are `error`, extensions `warning`, lints `note`. Notes and help follow the message in its text. Broken rules
/// have descriptors: statement, reason and remedy. The edits of a diagnostic are one fix.
pub fn to_sarif(sources: &[(&SourceText<'_>, &[Diagnostic])]) -> Value {
    let all =
        || sources.iter().flat_map(|(source, diagnostics)| diagnostics.iter().map(move |d| (*source, d)));
    let ids: BTreeMap<String, RuleId> = all().map(|(_, d)| (d.rule.to_string(), d.rule)).collect();
    let rules: Value = ids.values().map(descriptor).collect();
    let names: Vec<String> = ids.into_keys().collect();
    let results: Value = all().map(|(source, diagnostic)| result(source, diagnostic, &names)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "pto", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// The descriptor of a rule.
fn descriptor(id: &RuleId) -> Value {
    let rule = id.rule;
    json!({
        "id": id.to_string(),
        "shortDescription": { "text": rule.statement },
        "fullDescription": { "text": format!("{} {}", rule.statement, rule.reason) },
        "help": { "text": rule.remedy },
        "properties": { "source": rule.source },
    })
}

fn result(source: &SourceText<'_>, diagnostic: &Diagnostic, names: &[String]) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Extension => "warning",
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
    if let Ok(index) = names.binary_search(&rule) {
        result["ruleIndex"] = json!(index);
    }
    if !diagnostic.secondary.is_empty() {
        let related = diagnostic.secondary.iter().map(|label| {
            let mut location = location(source, Some(label.span));
            location["message"] = json!({ "text": label.message });
            location
        });
        result["relatedLocations"] = related.collect();
    }
    if !diagnostic.edits.is_empty() {
        let replacements: Value = diagnostic.edits.iter().map(|edit| replacement(source, edit)).collect();
        let description = diagnostic.help.first().map_or(diagnostic.rule.rule.remedy, String::as_str);
        result["fixes"] = json!([{
            "description": { "text": description },
            "artifactChanges": [{
                "artifactLocation": { "uri": uri(source.name()) },
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
    let mut physical = json!({ "artifactLocation": { "uri": uri(source.name()) } });
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
