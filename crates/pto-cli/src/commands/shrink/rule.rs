//! The condition is a finding of a rule.

use super::super::{check_text, run};
use super::condition::Condition;
use crate::args::{Cli, Command, RuleArgs, RunArgs, ShrinkArgs};
use crate::files::Disk;
use crate::settings::{Configured, Settings};
use clap::Parser;
use pto::data::{DataError, Failure, gather, place};
use pto::diag::{Diagnostic, Level, LevelError, Levels};
use pto::isa::rule::RuleId;
use pto::observe::watch;
use pto::sim::Signature;
use pto::{Checked, Program};
use std::sync::Arc;

/// A rule, and how candidates are checked and run.
pub(super) struct Rule {
    rule: RuleId,
    settings: Arc<Settings>,
    args: Box<RunArgs>,
    /// Whether candidates run, because the check of the original does not find the rule.
    runs: bool,
    /// What the last candidate did instead.
    reason: String,
}

impl Rule {
    pub(super) fn of(name: &str, args: &ShrinkArgs, text: &str) -> Result<Rule, DataError> {
        let rule = pto::isa::rules::find(name).ok_or_else(|| unknown(name))?;
        let settings = Configured::of(&args.run.profile, &RuleArgs::default())?.of_program(&args.file)?;
        let mut args = run_args(args)?;
        let (checked, findings) = checked(text, &settings);
        let runs = !findings.iter().any(|finding| finding.rule == rule);
        if let Some(checked) = checked.filter(|_| runs) {
            name_inputs(&mut args, &checked)?;
        }
        Ok(Rule { rule, settings, args, runs, reason: String::new() })
    }
}

/// The error for a name that is no rule.
fn unknown(name: &str) -> DataError {
    let help = match Levels::default().set(name, Level::Warn) {
        Err(LevelError::Unknown(Some(near))) => format!("did you mean `{near}`?"),
        Ok(()) => format!("that names several rules: write one of them, such as `{name}::...`"),
        _ => "`pto explain --list` lists the rules".to_owned(),
    };
    DataError::misuse(format!("--rule: there is no rule `{name}`")).with_help(help)
}

/// The flags of `pto run` for candidates.
fn run_args(args: &ShrinkArgs) -> Result<Box<RunArgs>, DataError> {
    let run = &args.run;
    match Cli::try_parse_from(["pto", "run", "-"]) {
        Ok(Cli { command: Command::Run(usual) }) => Ok(Box::new(RunArgs {
            entry: run.entry.clone(),
            inputs: run.inputs.clone(),
            profile: run.profile,
            blocks: run.blocks,
            threads: 1,
            ranks: run.ranks,
            watch: run.watch.clone(),
            sync: run.sync.clone(),
            assume: run.assume.clone(),
            schedule: run.schedule,
            seed: run.seed,
            schedule_seed: run.schedule_seed,
            max_steps: Some(run.max_steps),
            max_reports: usize::MAX,
            ..*usual
        })),
        _ => Err(DataError::new("`pto run -` are no flags of `pto run`")),
    }
}

/// Replaces numbers of arguments by names, since candidates may have fewer arguments. Wrong names are reported once, here.
fn name_inputs(args: &mut RunArgs, checked: &Checked) -> Result<(), DataError> {
    let Ok(program) = Program::decode(checked, args.entry.as_deref()) else { return Ok(()) };
    let Ok(signature) = Signature::of(program.module(), program.entry()) else { return Ok(()) };
    // A source that cannot be read is an error, not a candidate without the finding.
    run::inputs(&args.inputs, args.ranks, &signature)?;
    for input in &mut args.inputs {
        let (argument, rank) = place(&signature, &input.arg, args.ranks)?;
        let name = &signature.arguments[argument].name;
        // A name of digits would be read as a number.
        if !name.bytes().all(|byte| byte.is_ascii_digit()) {
            input.arg = rank.map_or_else(|| name.clone(), |rank| format!("{name}@{rank}"));
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
        let program = Program::decode(checked, self.args.entry.as_deref())?;
        let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
        let mut inputs = self.args.inputs.clone();
        inputs.retain(|input| place(&signature, &input.arg, self.args.ranks).is_ok());
        let given = run::inputs(&inputs, self.args.ranks, &signature)?;
        let options = run::options(&self.args);
        let arguments = gather(&program, &given, self.args.seed, self.args.ranks, &options, &Disk)?;
        let options = options.blank(run::blank(&given, &arguments));
        let (outcome, watched) = watch(&program, arguments.ranks, &options, &run::watch_options(&self.args))?;
        Ok(watched.after(&outcome))
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
        if self.rule.is_of_watcher() && self.args.watch.iter().all(|word| word == "none") {
            self.reason += &format!("; `--watch {}` finds it", self.rule.owner);
        }
        Ok(findings.iter().any(is_rule))
    }

    fn reason(&self) -> String {
        self.reason.clone()
    }
}
