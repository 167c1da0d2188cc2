//! Findings about a function under construction.

use pto_isa::diag::{Diagnostic, Severity};
use pto_isa::rule::Rule;
use std::fmt;

/// An operation that a rule forbids, or a kernel that cannot run, with the findings that `pto check` and `pto run`
/// report for program text.
#[derive(Clone, Debug)]
pub struct Error {
    findings: Vec<Diagnostic>,
}

impl Error {
    /// An error with these findings; the first error becomes the first finding.
    pub fn new(mut findings: Vec<Diagnostic>) -> Error {
        findings.sort_by_key(|finding| finding.severity != Severity::Error);
        Error { findings }
    }

    /// An error that cannot occur in program text.
    pub fn own(rule: &'static Rule, message: impl Into<String>) -> Error {
        Error { findings: vec![Diagnostic::error(rule, message)] }
    }

    /// The id of the first violated rule, such as `tconcat::valid-cols`.
    pub fn rule(&self) -> String {
        self.findings.first().map_or(String::new(), |finding| finding.rule.to_string())
    }

    /// All findings. Findings of `Kernel::build` or of a run have locations in the kernel's text; findings of a
    /// single instruction have none.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.findings.first() else { return Ok(()) };
        write!(f, "{first}")?;
        for note in first.notes.iter().chain(&first.help) {
            write!(f, "\n  {note}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
