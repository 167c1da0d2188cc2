//! Diagnostics as JSON.

use super::SourceText;
use pto::diag::{Diagnostic, Edit, Label, Span};
use serde_json::{Map, Value, json};

/// The diagnostics of one source as an array of objects.
///
/// Each has `rule`, `severity` (`error`, `extension`, `lint`), `message`, `file`, the position `line`, `column`,
/// `end_line`, `end_column` (exclusive; all null if the diagnostic concerns the whole source), `label` (the message at
/// that position), `labels` (further positions, each with `message`), `notes` and `help` (arrays of strings), and
/// `edits`: the fix as changes of the source, each with a position and the `replacement` of its text, empty if there is
/// no mechanical fix.
pub fn to_json(diagnostics: &[Diagnostic], source: &SourceText<'_>) -> Value {
    diagnostics.iter().map(|diagnostic| object(diagnostic, source)).collect()
}

fn object(diagnostic: &Diagnostic, source: &SourceText<'_>) -> Value {
    let mut object = Map::new();
    object.insert("rule".to_string(), json!(diagnostic.rule.to_string()));
    object.insert("severity".to_string(), json!(diagnostic.severity.word()));
    object.insert("message".to_string(), json!(diagnostic.message));
    object.insert("file".to_string(), json!(source.name()));
    place(&mut object, diagnostic.primary.as_ref().map(|label| label.span), source);
    let label = diagnostic.primary.as_ref().map_or("", |label| &label.message);
    object.insert("label".to_string(), json!(label));
    let labels: Value = diagnostic.secondary.iter().map(|label| further(label, source)).collect();
    object.insert("labels".to_string(), labels);
    object.insert("notes".to_string(), json!(diagnostic.notes));
    object.insert("help".to_string(), json!(diagnostic.help));
    let edits: Value = diagnostic.edits.iter().map(|edit| change(edit, source)).collect();
    object.insert("edits".to_string(), edits);
    Value::Object(object)
}

fn further(label: &Label, source: &SourceText<'_>) -> Value {
    let mut object = Map::new();
    object.insert("message".to_string(), json!(label.message));
    place(&mut object, Some(label.span), source);
    Value::Object(object)
}

fn change(edit: &Edit, source: &SourceText<'_>) -> Value {
    let mut object = Map::new();
    object.insert("replacement".to_string(), json!(edit.replacement));
    place(&mut object, Some(edit.span), source);
    Value::Object(object)
}

fn place(object: &mut Map<String, Value>, span: Option<Span>, source: &SourceText<'_>) {
    let (start, end) = span.map(|span| source.positions(span)).unzip();
    object.insert("line".to_string(), json!(start.map(|p| p.line)));
    object.insert("column".to_string(), json!(start.map(|p| p.column)));
    object.insert("end_line".to_string(), json!(end.map(|p| p.line)));
    object.insert("end_column".to_string(), json!(end.map(|p| p.column)));
}
