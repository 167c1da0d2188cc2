//! The condition is a finding of a rule.

use super::super::check_text;
use super::condition::Condition;
use crate::args::{RuleArgs, ShrinkArgs};
use crate::files::Disk;
use crate::settings::{Configured, Settings};
use pto::data::{DataError, Failure, place};
use pto::diag::{Diagnostic, Level, LevelError, Levels};
use pto::isa::rule::RuleId;
use pto::launch::Spec;
use pto::sim::Signature;
use pto::{Checked, Program};
use std::sync::Arc;

/// A rule, and how candidates are checked and run.
pub(super) struct Rule {
    rule: RuleId,
    settings: Arc<Settings>,
    spec: Spec,
    /// Whether candidates run, because the check of the original does not find the rule.
    runs: bool,
    /// Behaviour of the last candidate that failed the condition.
    reason: String,
}

impl Rule {
    pub(super) fn of(name: &str, args: &ShrinkArgs, text: &str) -> Result<Rule, DataError> {
        let rule = pto::isa::rules::find(name).ok_or_else(|| unknown(name))?;
        let settings = Configured::of(&args.run.profile, &RuleArgs::default())?.of_program(&args.file)?;
        let mut spec = args.run.spec();
        let (checked, findings) = checked(text, &settings);
        let runs = !findings.iter().any(|finding| finding.rule == rule);
        if let Some(checked) = checked.filter(|_| runs) {
            name_inputs(&mut spec, &checked)?;
        }
        Ok(Rule { rule, settings, spec, runs, reason: String::new() })
    }
}

/// Error for an unknown rule name.
fn unknown(name: &str) -> DataError {
    let help = match Levels::default().set(name, Level::Warn) {
        Err(LevelError::Unknown(Some(near))) => format!("did you mean `{near}`?"),
        Ok(()) => format!("that names several rules: write one of them, such as `{name}::...`"),
        _ => "`pto explain --list` lists the rules".to_owned(),
    };
    DataError::misuse(format!("--rule: there is no rule `{name}`")).with_help(help)
}

/// Replaces numbers of arguments by names, since candidates may have fewer arguments. Wrong names are reported once, here.
fn name_inputs(spec: &mut Spec, checked: &Checked) -> Result<(), DataError> {
    let Ok(program) = Program::decode(checked, spec.entry.as_deref()) else { return Ok(()) };
    let Ok(signature) = Signature::of(program.module(), program.entry()) else { return Ok(()) };
    // A source that cannot be read is an error, not a candidate without the finding.
    spec.inputs(&program, &Disk)?;
    for (input, _) in &mut spec.inputs {
        let (argument, rank) = place(&signature, input, spec.ranks)?;
        let name = &signature.arguments[argument].name;
        // A name of digits would be read as a number.
        if !name.bytes().all(|byte| byte.is_ascii_digit()) {
            *input = rank.map_or_else(|| name.clone(), |rank| format!("{name}@{rank}"));
        }
    }
    Ok(())
}

fn checked(text: &str, settings: &Settings) -> (Option<Checked>, Vec<Diagnostic>) {
    match check_text(text, settings) {
        Ok((checked, findings)) => (Some(checked), findings),
        Err(findings) => (None, findings),
    }
}

impl Rule {
    /// The findings of a run, which may stop.
    fn run(&self, checked: &Checked) -> Result<Vec<Diagnostic>, DataError> {
        match self.launch(checked) {
            Ok(findings) | Err(Failure::Program(findings)) => Ok(findings),
            Err(Failure::Data(error)) => Err(error),
        }
    }

    fn launch(&self, checked: &Checked) -> Result<Vec<Diagnostic>, Failure> {
        let program = Program::decode(checked, self.spec.entry.as_deref())?;
        let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
        let mut spec = self.spec.clone();
        spec.inputs.retain(|(input, _)| place(&signature, input, spec.ranks).is_ok());
        Ok(spec.prepare(&program, &Disk)?.run(&mut [])?.findings())
    }
}

impl Condition for Rule {
    fn holds(&mut self, text: &str) -> Result<bool, DataError> {
        let (checked, mut findings) = checked(text, &self.settings);
        let is_rule = |finding: &Diagnostic| finding.rule == self.rule;
        if findings.iter().any(is_rule) {
            return Ok(true);
        }
        if let Some(checked) = checked.filter(|_| self.runs) {
            match self.run(&checked) {
                Ok(found) => findings.extend(self.settings.level(found, text).findings),
                Err(error) => {
                    self.reason = format!("it cannot be run: {}", error.message);
                    return Ok(false);
                }
            }
        }
        let mut rules: Vec<String> = findings.iter().map(|finding| format!("`{}`", finding.rule)).collect();
        rules.sort_unstable();
        rules.dedup();
        let found = if rules.is_empty() { "nothing".to_owned() } else { rules.join(", ") };
        self.reason = format!("`{}` is not found; found: {found}", self.rule);
        if self.rule.is_of_watcher() && self.spec.watch.is_empty() {
            self.reason += &format!("; `--watch {}` finds it", self.rule.owner);
        }
        Ok(findings.iter().any(is_rule))
    }

    fn reason(&self) -> String {
        self.reason.clone()
    }
}
