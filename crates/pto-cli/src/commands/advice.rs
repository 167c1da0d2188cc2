//! Findings of a run with advice that was tried, see [`pto::advice`]: the launch of a command, for changed texts of its program.

use super::check_text;
use crate::files::Disk;
use crate::settings::Settings;
use pto::Program;
use pto::advice::{Trial, tried};
use pto::data::Input;
use pto::diag::Diagnostic;
use pto::launch::{Launch, Spec};
use pto::observe::limited;
use pto::sim::Value;

/// A launch that is repeated with changed texts of its program.
pub(super) struct Advisor<'a> {
    pub(super) text: &'a str,
    pub(super) settings: &'a Settings,
    pub(super) spec: &'a Spec,
    pub(super) program: &'a Program,
    pub(super) inputs: &'a [Input],
}

impl Advisor<'_> {
    /// Has the watchers of a launch report every finding: advice compares all of them. [`Advisor::advise`] limits their number.
    pub(super) fn unlimited(launch: &mut Launch<'_>) {
        launch.watch.max_reports = usize::MAX;
    }

    /// The findings of a run of `steps` at their levels, with advice that was tried; `warnings` are those of the check.
    pub(super) fn advise(
        &self,
        warnings: &[Diagnostic],
        findings: Vec<Diagnostic>,
        steps: u64,
    ) -> Vec<Diagnostic> {
        if self.spec.watch.is_empty() || findings.iter().all(|finding| finding.proposals.is_empty()) {
            return limited(findings, self.spec.max_reports);
        }
        // Made again, since a run changes its arguments; once, since large ones take long.
        let found = match self.spec.prepare_with(self.program, self.inputs, &Disk) {
            Ok(launch) => {
                let work = Trial::work_of(steps, bytes_of(&launch.ranks));
                let findings = [warnings, &findings].concat();
                let mut found =
                    tried(self.text, Trial { findings, work }, |text, most| self.run(&launch, text, most));
                found.retain(|finding| !warnings.contains(finding));
                found
            }
            Err(_) => findings,
        };
        limited(found, self.spec.max_reports)
    }

    /// Runs a changed text for `most` steps at most; `None` if it does not start.
    fn run(&self, first: &Launch<'_>, text: &str, most: u64) -> Option<Trial> {
        let (checked, mut findings) = match check_text(text, self.settings) {
            Ok(checked) => checked,
            Err(findings) => return Some(Trial { findings, work: 0 }),
        };
        let program = &Program::decode(&checked, self.spec.entry.as_deref()).ok()?;
        let Launch { ranks, mut options, watch, .. } = first.clone();
        let bytes = bytes_of(&ranks);
        options.max_steps = options.max_steps.min(most);
        let mut launch = Launch { program, ranks, options, watch };
        Advisor::unlimited(&mut launch);
        let (found, work) = match launch.run(&mut []) {
            Ok(report) => (report.findings(), Trial::work_of(report.outcome.steps, bytes)),
            Err(found) => (found, 0),
        };
        findings.extend(self.settings.level(found, text).findings);
        Some(Trial { findings, work })
    }
}

/// The bytes of all arguments.
fn bytes_of(ranks: &[Vec<Value>]) -> u64 {
    let bytes = |value: &Value| if let Value::Buffer { bytes } = value { bytes.len() as u64 } else { 0 };
    ranks.iter().flatten().map(bytes).sum()
}
