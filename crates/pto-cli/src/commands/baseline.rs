//! Findings that a project has accepted: `pto check --baseline FILE` reports only others.
//!
//! A finding is in the baseline if its rule, program and message are. Its line does not matter, since lines move with every
//! edit above them; equal findings are counted, so that a second one of the same kind is new.

use crate::judged::Judged;
use pto::data::DataError;
use pto::diag::Severity;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The JSON of an earlier `pto check`, of which a baseline needs only this.
#[derive(Deserialize)]
struct Recorded {
    diagnostics: Vec<Accepted>,
}

#[derive(Deserialize, PartialEq, Eq, PartialOrd, Ord)]
struct Accepted {
    rule: String,
    file: String,
    message: String,
}

/// The accepted findings, each with the number of times that it may still appear.
#[derive(Default)]
pub(super) struct Baseline(BTreeMap<Accepted, usize>);

impl Baseline {
    /// Reads the output of `pto check --json`.
    ///
    /// # Errors
    /// A file that cannot be read, or is not such a report.
    pub(super) fn read(path: &Path) -> Result<Baseline, DataError> {
        let text = super::read_text(path)?.text;
        let recorded: Recorded = serde_json::from_str(&text).map_err(|error| {
            let message = format!("{}: not a report of `pto check --json`: {error}", path.display());
            DataError::misuse(message)
                .with_help("a baseline is made by `pto check PATH --json > baseline.json`")
        })?;
        let mut accepted = Baseline::default();
        for finding in recorded.diagnostics {
            *accepted.0.entry(finding).or_default() += 1;
        }
        Ok(accepted)
    }

    /// Moves the accepted findings of a program to `known`. A program whose errors are all known passes.
    pub(super) fn apply(&mut self, judged: &mut Judged) {
        let file = judged.file.clone();
        let is_known = |finding: &mut pto::diag::Diagnostic| {
            let key = Accepted {
                rule: finding.rule.to_string(),
                file: file.clone(),
                message: finding.message.clone(),
            };
            match self.0.get_mut(&key) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    true
                }
                _ => false,
            }
        };
        judged.known = judged.findings.extract_if(.., is_known).collect();
        let errors = |findings: &[pto::diag::Diagnostic]| {
            findings.iter().filter(|finding| finding.severity == Severity::Error).count()
        };
        judged.passed |= errors(&judged.known) > 0 && errors(&judged.findings) == 0;
    }
}
