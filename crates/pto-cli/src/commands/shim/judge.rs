//! A program that passed: checked, and run under watchers.

use super::assembler::Call;
use crate::args::{FailOn, Judging, named};
use crate::commands::{Text, check_text, read_text, sweep};
use crate::files::Disk;
use crate::printer::plural;
use crate::render::{SourceText, to_text};
use crate::report::{self, ShimVerified, ShimmedFile};
use crate::settings::{Configured, Settings};
use pto::Checked;
use pto::data::{DataError, Failure};
use pto::diag::{Diagnostic, Severity};
use pto::isa::rules::run::MAX_STEPS;
use pto::launch::Spec;
use pto::lowering::{LoweringOptions, compare};
use std::path::Path;
use std::time::Instant;

/// Facts about a program.
pub(super) struct Judgement {
    text: Text,
    findings: Vec<Diagnostic>,
    unjudged: Option<String>,
    /// The program, if it is legal.
    checked: Option<Checked>,
    seconds: f64,
}

/// Compares the assembler's output program with its input program; `None` if one of them is not legal, or if programs are
/// not run.
pub(super) fn verified(input: &Judgement, output: &Judgement, judging: &Judging) -> Option<ShimVerified> {
    let (source, lowered) = input.checked.as_ref().zip(output.checked.as_ref())?;
    judging.watch.iter().any(|word| word != "none").then_some(())?;
    let mut options = LoweringOptions::default();
    options.most_steps = options.most_steps.min(judging.max_steps);
    let (verdict, message) = match compare(source, lowered, &options, &Disk) {
        Ok(None) => ("accepted", None),
        Ok(Some(why)) => ("unknown", Some(why)),
        Err(Failure::Data(error)) => ("unknown", Some(error.to_string())),
        Err(Failure::Program(found)) => {
            ("rejected", found.first().map(|first| format!("{}: {}", first.rule, first.message)))
        }
    };
    Some(ShimVerified { verdict, message })
}

/// Judges a program that went in, or one that came out.
pub(super) fn program(path: &Path, call: &Call, is_output: bool, judging: &Judging) -> Judgement {
    let start = Instant::now();
    let text = Text { name: path.display().to_string(), text: String::new() };
    let mut judgement = Judgement { text, findings: Vec::new(), unjudged: None, checked: None, seconds: 0.0 };
    if let Err(error) = judgement.judge(path, call, is_output, judging) {
        judgement.unjudged = Some(error.to_string());
    }
    let is_limit = |finding: &Diagnostic| finding.rule.rule == &MAX_STEPS;
    if judgement.findings.iter().any(is_limit) {
        judgement.findings.retain(|finding| !is_limit(finding));
        judgement.unjudged = Some(format!("its run takes more than {} steps of a block", judging.max_steps));
    }
    judgement.seconds = start.elapsed().as_secs_f64();
    judgement
}

impl Judgement {
    fn judge(
        &mut self,
        path: &Path,
        call: &Call,
        is_output: bool,
        judging: &Judging,
    ) -> Result<(), DataError> {
        let configured = Configured::from(Settings::of_target(call.target));
        self.text = read_text(path)?;
        let checked = match check_text(&self.text.text, &*configured.of_program(path)?) {
            Ok((checked, findings)) => {
                self.findings = findings;
                checked
            }
            Err(findings) => {
                self.findings = findings;
                return Ok(());
            }
        };
        if judging.watch.iter().any(|word| word != "none") {
            self.unjudged = sweep::findings(
                &spec(call, is_output, judging),
                &configured,
                path,
                &self.text.text,
                &checked,
                &mut self.findings,
            )?;
        }
        self.checked = Some(checked);
        Ok(())
    }

    fn errors(&self) -> usize {
        self.findings.iter().filter(|finding| finding.severity == Severity::Error).count()
    }

    /// Whether the call fails by it.
    pub(super) fn fails(&self, fail_on: FailOn) -> bool {
        match fail_on {
            FailOn::Never => false,
            FailOn::Error => self.errors() > 0,
            FailOn::Warning => !self.findings.is_empty(),
        }
    }

    fn verdict(&self) -> &'static str {
        match (self.errors(), self.findings.is_empty(), &self.unjudged) {
            (0, true, None) => "clean",
            (0, true, Some(_)) => "unjudged",
            (0, false, _) => "lint",
            _ => "error",
        }
    }

    /// The findings, followed by a line with their number.
    pub(super) fn text(&self) -> String {
        let mut text = to_text(&self.findings, &SourceText::new(&self.text.name, &self.text.text), false);
        if let Some(why) = &self.unjudged {
            text += &format!("{}: not judged: {why}\n", self.text.name);
        }
        let (errors, all) = (self.errors(), self.findings.len());
        text + &format!(
            "{}: {}, {} in all\n",
            self.text.name,
            plural(errors, "error"),
            plural(all, "finding")
        )
    }

    pub(super) fn report(&self) -> ShimmedFile {
        ShimmedFile {
            file: self.text.name.clone(),
            verdict: self.verdict(),
            unjudged: self.unjudged.clone(),
            findings: report::findings(&self.findings, &SourceText::new(&self.text.name, &self.text.text)),
            seconds: self.seconds,
        }
    }
}

/// Launch of a program. An input program has no flags within a core yet if the assembler inserts them.
fn spec(call: &Call, is_output: bool, judging: &Judging) -> Spec {
    let sync_inserted = call.inserts_sync && !is_output;
    Spec { watch: named(&judging.watch), max_steps: judging.max_steps, sync_inserted, ..Spec::default() }
}
