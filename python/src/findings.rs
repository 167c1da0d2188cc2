//! Findings as objects.

use crate::errors::spelled;
use crate::text::{Text, escaped};
use pto::diag;
use pto_cli::render::{Position, SourceText};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

/// A place in a file, and the text of its line.
struct Place<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    source: Option<String>,
}

/// The fields of a finding, as it is pickled.
type Fields = (
    (String, String, String, String),
    (Option<usize>, Option<usize>, Option<String>, Option<Vec<u64>>),
    Vec<String>,
    Vec<String>,
);

/// A finding about a program.
#[pyclass(frozen, module = "pto_tools", from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Diagnostic {
    /// The id of the rule, which `pto explain` knows.
    #[pyo3(get)]
    pub(crate) rule: String,
    /// How bad it is.
    #[pyo3(get)]
    pub(crate) severity: String,
    /// What is wrong.
    #[pyo3(get)]
    message: String,
    /// The name of the program.
    #[pyo3(get)]
    file: String,
    /// The line in the program; None if it is about no line.
    #[pyo3(get)]
    pub(crate) line: Option<usize>,
    /// The column; None if it is about no line.
    #[pyo3(get)]
    column: Option<usize>,
    /// The text of the line.
    #[pyo3(get)]
    source: Option<String>,
    element: Option<Vec<u64>>,
    /// Facts that explain the message.
    #[pyo3(get)]
    notes: Vec<String>,
    /// What to do.
    #[pyo3(get)]
    help: Vec<String>,
}

impl Diagnostic {
    /// Findings of a text as objects.
    pub(crate) fn all(findings: &[diag::Diagnostic], text: &Arc<Text>) -> Vec<Diagnostic> {
        findings.iter().map(|finding| Diagnostic::of(finding, text)).collect()
    }

    /// A finding of a text.
    pub(crate) fn of(finding: &diag::Diagnostic, text: &Text) -> Diagnostic {
        Diagnostic::placed(finding, &text.name, &|byte| {
            let (line, column) = text.position(byte);
            Place { file: &text.name, line, column, source: text.line(line).map(str::to_owned) }
        })
    }

    /// A finding in one of several files, of which the first is what it is about.
    pub(crate) fn joined(finding: &diag::Diagnostic, text: &SourceText<'_>) -> Diagnostic {
        Diagnostic::placed(finding, text.name(), &|byte| {
            let Position { line, column } = text.position(byte as usize);
            let start = text.offset_of_line(byte as usize);
            let source = text.text()[start..].lines().next().map(str::to_owned);
            Place { file: text.name_of(Some(diag::Span::new(byte, byte))), line, column, source }
        })
    }

    /// A finding whose places a function knows; `file` is that of a finding without a place.
    fn placed<'a>(
        finding: &diag::Diagnostic,
        file: &'a str,
        place_of: &dyn Fn(u32) -> Place<'a>,
    ) -> Diagnostic {
        let place = finding.primary.as_ref().map(|label| place_of(label.span.start));
        let file = place.as_ref().map_or(file, |place| place.file);
        let labels = finding.secondary.iter().filter(|label| !label.message.is_empty());
        let labels = labels.map(|label| {
            let other = place_of(label.span.start);
            let before = if other.file == file { String::new() } else { format!("{}, ", other.file) };
            format!("{before}line {}: {}", other.line, label.message)
        });
        Diagnostic {
            rule: finding.rule.to_string(),
            severity: finding.severity.word().to_owned(),
            message: finding.message.clone(),
            file: file.to_owned(),
            notes: labels.chain(finding.notes.iter().cloned()).collect(),
            line: place.as_ref().map(|place| place.line),
            column: place.as_ref().map(|place| place.column),
            source: place.and_then(|place| place.source),
            element: finding.element.clone(),
            help: finding.help.iter().map(|help| spelled(help)).collect(),
        }
    }

    /// The index of the element as a tuple; `None` if the finding is about no element.
    pub(crate) fn index<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.element.as_ref()?).ok()
    }

    /// All of it as text.
    pub(crate) fn text(&self) -> String {
        let place = match (self.line, self.column) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}: ", self.file),
            _ => String::new(),
        };
        let mut out = format!("{place}{}[{}]: {}", self.severity, self.rule, self.message);
        for note in &self.notes {
            out += &format!("\n  note: {note}");
        }
        for help in &self.help {
            out += &format!("\n  help: {help}");
        }
        out
    }

    /// All of it as HTML.
    pub(crate) fn html(&self) -> String {
        let color = if self.severity == "error" { "#c0392b" } else { "#b9770e" };
        let line = self.line.map_or(String::new(), |line| format!("{}:{line}: ", escaped(&self.file)));
        let source = self
            .source
            .as_ref()
            .map_or(String::new(), |text| format!("<pre style=\"margin:0\">{}</pre>", escaped(text.trim())));
        let item = |word: &str, text: &String| format!("<li>{word}: {}</li>", escaped(text));
        let notes = self.notes.iter().map(|text| item("note", text));
        let items: String = notes.chain(self.help.iter().map(|text| item("help", text))).collect();
        format!(
            "<div>{line}<b style=\"color:{color}\">{}</b> <code>{}</code>: {}{source}<ul>{items}</ul></div>",
            self.severity,
            self.rule,
            escaped(&self.message)
        )
    }
}

/// A finding from its fields.
#[pyfunction]
#[pyo3(name = "_finding")]
pub(crate) fn finding(fields: Fields) -> Diagnostic {
    let ((rule, severity, message, file), (line, column, source, element), notes, help) = fields;
    Diagnostic { rule, severity, message, file, line, column, source, element, notes, help }
}

#[pymethods]
impl Diagnostic {
    /// Index of the element that it is about, such as row and column of a tile; None if it is about none.
    #[getter]
    fn element<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyTuple>> {
        self.index(py)
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        let line = self.line.map_or(String::new(), |line| format!(" line {line}"));
        format!("<Diagnostic {}{line}: {}>", self.rule, self.message)
    }

    fn __eq__(&self, other: &Diagnostic) -> bool {
        self == other
    }

    fn _repr_html_(&self) -> String {
        self.html()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Fields,))> {
        let Diagnostic { rule, severity, message, file, line, column, source, element, notes, help } =
            self.clone();
        let place = (line, column, source, element);
        let restore = py.import("pto_tools._native")?.getattr("_finding")?;
        Ok((restore, (((rule, severity, message, file), place, notes, help),)))
    }
}
