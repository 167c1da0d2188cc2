//! A program or a recorded case with its findings: the input of the formats for CI.

use crate::commands::Status;
use crate::render::{Joined, SourceText};
use pto::diag::{Diagnostic, Severity};
use std::collections::BTreeMap;
use std::time::Duration;

/// A program or a recorded case that a command judged.
#[derive(Clone, Debug, Default)]
pub struct Judged {
    /// Name of the program or case, as the user gave it.
    pub name: String,
    /// Path of the program whose text the findings are in.
    pub file: String,
    /// The text; empty if it cannot be read.
    pub text: String,
    /// Several files that the findings are in instead, of which the program is the first.
    pub joined: Option<Joined>,
    /// The findings.
    pub findings: Vec<Diagnostic>,
    /// Findings that are not reported, since a baseline has them.
    pub known: Vec<Diagnostic>,
    /// Error in data, which prevented a judgement: a file that cannot be read, a missing argument.
    pub error: Option<String>,
    /// Whether the error is a wrong use of the command: a path that names no program.
    pub is_misuse: bool,
    /// Whether the command counts it as good.
    pub passed: bool,
    /// Time that it took.
    pub time: Duration,
}

impl Judged {
    /// The text for positions.
    pub fn source(&self) -> SourceText<'_> {
        match &self.joined {
            Some(joined) => SourceText::joined(joined),
            None => SourceText::new(&self.file, &self.text),
        }
    }

    /// Contribution to the exit status of the command.
    pub(crate) fn status(&self) -> Status {
        match self.passed {
            true => Status::Fine,
            false if self.is_misuse => Status::Misused,
            false => Status::Wrong,
        }
    }

    /// Whether the program is legal: it was read, and neither a finding nor a known one is an error.
    pub(crate) fn is_legal(&self) -> bool {
        let is_error = |finding: &Diagnostic| finding.severity == Severity::Error;
        self.passed && !self.known.iter().any(is_error)
    }

    /// The findings that are errors.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error)
    }
}

/// For each broken rule its findings and programs, the rule with most programs first.
pub fn by_rule<'a>(programs: impl Iterator<Item = &'a [Diagnostic]>) -> Vec<(String, usize, usize)> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for findings in programs {
        let mut here: BTreeMap<String, usize> = BTreeMap::new();
        for finding in findings {
            *here.entry(finding.rule.to_string()).or_default() += 1;
        }
        for (rule, found) in here {
            let count = counts.entry(rule).or_default();
            *count = (count.0 + found, count.1 + 1);
        }
    }
    let mut sorted: Vec<_> =
        counts.into_iter().map(|(rule, (found, programs))| (rule, found, programs)).collect();
    sorted.sort_by_key(|(_, found, programs)| std::cmp::Reverse((*programs, *found)));
    sorted
}
