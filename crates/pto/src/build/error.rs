//! Findings about a function under construction.

use crate::diag::{Diagnostic, Severity};
use crate::isa::rule::Rule;
use std::fmt;

/// An operation that a rule forbids, or a kernel that cannot run: the findings that `pto check` and `pto run` report for
/// text, under the same names.
#[derive(Clone, Debug)]
pub struct Error {
    findings: Vec<Diagnostic>,
}

impl Error {
    /// An error from findings, the first error first.
    pub(crate) fn new(mut findings: Vec<Diagnostic>) -> Error {
        findings.sort_by_key(|finding| finding.severity != Severity::Error);
        Error { findings }
    }

    /// An error of the kernel's author that text cannot have.
    pub(crate) fn own(rule: &'static Rule, message: impl Into<String>) -> Error {
        Error { findings: vec![Diagnostic::error(rule, message)] }
    }

    /// The id of the first rule that was broken, such as `tconcat::valid-cols`.
    pub fn rule(&self) -> String {
        self.findings.first().map_or(String::new(), |finding| finding.rule.to_string())
    }

    /// Everything that was found. Places are in the kernel's text where `Kernel::build` or
    /// a run found it; a single instruction has none.
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
