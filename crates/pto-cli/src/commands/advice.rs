//! Findings of a run with advice that was tried, see [`pto::advice`]: the launch of a command, for changed texts of its program.

use super::check_text;
use crate::files::Disk;
use crate::settings::Settings;
use pto::Program;
use pto::advice::{Trial, tried};
use pto::data::{Failure, Input};
use pto::diag::Diagnostic;
use pto::launch::{Launch, Spec};
use pto::observe::limited;

/// A launch that is repeated with changed texts of its program.
///
/// Its description has no limit of findings, since advice compares all of them.
pub(super) struct Advisor<'a> {
    pub(super) text: &'a str,
    pub(super) settings: &'a Settings,
    pub(super) spec: &'a Spec,
    pub(super) program: &'a Program,
    pub(super) inputs: &'a [Input],
    /// Most findings of watchers that are reported.
    pub(super) most: usize,
}

impl Advisor<'_> {
    /// The findings of a run of `steps` at their levels, with advice that was tried; `warnings` are those of the check.
    pub(super) fn advise(
        &self,
        warnings: &[Diagnostic],
        findings: Vec<Diagnostic>,
        steps: u64,
    ) -> Vec<Diagnostic> {
        if self.spec.watch.is_empty() || findings.iter().all(|finding| finding.proposals.is_empty()) {
            return limited(findings, self.most);
        }
        let Ok((launch, bytes)) = self.again() else { return limited(findings, self.most) };
        let (findings, work) = ([warnings, &findings].concat(), Trial::work_of(steps, bytes));
        let mut found =
            tried(self.text, Trial { findings, work }, |text, most| self.run(&launch, bytes, text, most));
        found.retain(|finding| !warnings.contains(finding));
        limited(found, self.most)
    }

    /// The launch with its arguments and their bytes. They are made again, since a run changes them; once, since large ones take long.
    fn again(&self) -> Result<(Launch<'_>, u64), Failure> {
        let plan = self.spec.plan(self.program, self.inputs, &Disk)?;
        let bytes = plan.bytes();
        Ok((self.spec.launch(self.program, self.inputs, plan.make()?), bytes))
    }

    /// Runs a changed text, with the arguments of `first` of `bytes` bytes, for `most` steps at most; `None` if it does not start.
    fn run(&self, first: &Launch<'_>, bytes: u64, text: &str, most: u64) -> Option<Trial> {
        let (checked, mut findings) = match check_text(text, self.settings) {
            Ok(checked) => checked,
            Err(findings) => return Some(Trial { findings, work: 0 }),
        };
        let program = &Program::decode(&checked, self.spec.entry.as_deref()).ok()?;
        let Launch { ranks, mut options, watch, .. } = first.clone();
        options.max_steps = options.max_steps.min(most);
        let launch = Launch { program, ranks, options, watch };
        let (found, work) = match launch.run(&mut []) {
            Ok(report) => (report.findings(), Trial::work_of(report.outcome.steps, bytes)),
            Err(found) => (found, 0),
        };
        findings.extend(self.settings.level(found, text).findings);
        Some(Trial { findings, work })
    }
}
