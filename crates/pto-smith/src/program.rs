//! Programs from texts, with the findings against them as one line.

use pto::diag::Diagnostic;
use pto::sim::Program;
use pto::{Checked, Profile};

/// Rules and messages of findings, as one line.
pub(crate) fn sentence(findings: Vec<Diagnostic>) -> String {
    let lines = findings.iter().map(|finding| format!("{}: {}", finding.rule, finding.message));
    lines.collect::<Vec<_>>().join("; ")
}

/// A legal program, checked for a profile.
pub(crate) fn checked(text: &str, profile: Option<Profile>) -> Result<Checked, String> {
    pto::parse(text).and_then(|parsed| pto::check(parsed.module, profile)).map_err(sentence)
}

/// The kernel of a legal program.
pub(crate) fn program(text: &str, profile: Option<Profile>) -> Result<Program, String> {
    Program::decode(&checked(text, profile)?, None).map_err(sentence)
}
