//! Findings as objects, and exceptions by family of rules.

use pto::data;
use pto::diag::{self, Severity};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

create_exception!(
    pto_tools,
    Error,
    PyException,
    "What a program does wrong. `rule`, `line`, `diagnostics` say what and where."
);
create_exception!(pto_tools, CheckError, Error, "The text is no legal program.");
create_exception!(
    pto_tools,
    RunError,
    Error,
    "A rule of the ISA is broken during a run, or the run does not end."
);
create_exception!(pto_tools, OutOfBounds, RunError, "An access outside of a buffer in global memory.");
create_exception!(pto_tools, Deadlock, RunError, "Cores or pipes wait for each other.");
create_exception!(pto_tools, Race, Error, "Two accesses that nothing orders.");
create_exception!(pto_tools, DataError, PyValueError, "Arguments that do not fit the kernel.");

/// A program's text, with a name for messages.
#[derive(Debug)]
pub(crate) struct Text {
    /// The path, or `<text>`.
    pub(crate) name: String,
    /// The program.
    pub(crate) text: String,
}

impl Text {
    /// Line and column of a byte, both from 1; the column counts characters.
    fn position(&self, byte: u32) -> (usize, usize) {
        let before = self.text.get(..byte as usize).unwrap_or(&self.text);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }
}

/// A finding about a program.
#[pyclass(frozen, module = "pto_tools")]
#[derive(Clone)]
pub(crate) struct Diagnostic {
    finding: diag::Diagnostic,
    text: Arc<Text>,
}

impl Diagnostic {
    /// Findings of a text as objects.
    pub(crate) fn all(findings: &[diag::Diagnostic], text: &Arc<Text>) -> Vec<Diagnostic> {
        findings
            .iter()
            .map(|finding| Diagnostic { finding: finding.clone(), text: Arc::clone(text) })
            .collect()
    }
}

#[pymethods]
impl Diagnostic {
    /// The id of the rule, which `pto explain` knows.
    #[getter]
    fn rule(&self) -> String {
        self.finding.rule.to_string()
    }

    /// `error`, `extension` or `lint`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.finding.severity.word()
    }

    /// What is wrong.
    #[getter]
    fn message(&self) -> &str {
        &self.finding.message
    }

    /// The line in the program, from 1; None if it is about no line.
    #[getter]
    fn line(&self) -> Option<usize> {
        let label = self.finding.primary.as_ref()?;
        Some(self.text.position(label.span.start).0)
    }

    /// The column, from 1; None if it is about no line.
    #[getter]
    fn column(&self) -> Option<usize> {
        let label = self.finding.primary.as_ref()?;
        Some(self.text.position(label.span.start).1)
    }

    /// Facts that explain the message.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.finding.notes.clone()
    }

    /// What to do.
    #[getter]
    fn help(&self) -> Vec<String> {
        self.finding.help.clone()
    }

    fn __str__(&self) -> String {
        let place = match (self.line(), self.column()) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}: ", self.text.name),
            _ => String::new(),
        };
        let mut out = format!("{place}{}[{}]: {}", self.severity(), self.rule(), self.message());
        for note in &self.finding.notes {
            out += &format!("\n  note: {note}");
        }
        for help in &self.finding.help {
            out += &format!("\n  help: {help}");
        }
        out
    }

    fn __repr__(&self) -> String {
        let line = self.line().map_or(String::new(), |line| format!(" line {line}"));
        format!("<Diagnostic {}{line}: {}>", self.rule(), self.message())
    }
}

/// The stage that a program fails.
#[derive(Clone, Copy)]
pub(crate) enum Stage {
    Check,
    Run,
}

/// The exception for findings, of which the first error is the reason.
pub(crate) fn raised(py: Python<'_>, stage: Stage, findings: &[diag::Diagnostic], text: &Arc<Text>) -> PyErr {
    first_error(py, stage, Diagnostic::all(findings, text))
        .unwrap_or_else(|| Error::new_err("the program is wrong"))
}

/// The exception for the first error among findings, with all of them; `None` if none is an error.
pub(crate) fn first_error(py: Python<'_>, stage: Stage, objects: Vec<Diagnostic>) -> Option<PyErr> {
    let first = objects.iter().find(|object| object.finding.severity == Severity::Error)?;
    let message = first.__str__();
    let error = match (stage, first.finding.rule.owner, first.finding.rule.rule.name) {
        (Stage::Check, ..) => CheckError::new_err(message),
        (_, "race", _) => Race::new_err(message),
        (_, _, "out-of-bounds") => OutOfBounds::new_err(message),
        (_, _, "deadlock") => Deadlock::new_err(message),
        _ => RunError::new_err(message),
    };
    let value = error.value(py);
    let (rule, line) = (first.rule(), first.line());
    let set = value
        .setattr("rule", rule)
        .and_then(|()| value.setattr("line", line))
        .and_then(|()| value.setattr("diagnostics", objects));
    Some(set.err().unwrap_or(error))
}

/// The exception for arguments that do not fit.
pub(crate) fn unfit(error: &data::DataError) -> PyErr {
    DataError::new_err(error.to_string())
}
