//! `pto test`.

mod cpp;
mod launch;
mod pypto;

use super::Status;
use crate::args::{Format, TestArgs};
use crate::case::{Case, find, pypto::is_case};
use crate::cpp::arguments::is_source;
use crate::judged::Judged;
use crate::printer::{self, Reported};
use crate::printer::{print_err, print_out};
use crate::progress::Progress;
use crate::render::to_text;
use crate::report::{self, CaseResult, TestReport};
pub(super) use launch::inputs;
use pto::data::{DataError, Failure};
use pto::launch::Spec;
use pto::sim::DEFAULT_MAX_STEPS;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Most cases that a sum lists as the slowest.
const SLOWEST: usize = 5;

/// The family of the cases of PyPTO.
const PYPTO: &str = "pypto";

/// Result of a case.
struct Verdict {
    judged: Judged,
    family: String,
    op: String,
    /// The reason of a failure.
    failure: Option<String>,
}

pub(super) fn run(args: &TestArgs) -> Result<Status, DataError> {
    let start = Instant::now();
    let folders = find(&args.paths)?;
    if folders.is_empty() {
        return Err(DataError::misuse(
            "there are no cases: a case is a folder with `case.json` and `kernel.pto`, or with `golden.py` and `ptoas`",
        ));
    }
    let mut verdicts = Vec::new();
    let progress = Progress::new(folders.len(), "cases");
    for folder in folders {
        progress.step();
        let Some(verdict) = judge(args, &folder) else { continue };
        if args.format.chosen() == Format::Text {
            progress.aside(|| print_out(&verdict.text(args)));
        }
        verdicts.push(verdict);
    }
    drop(progress);
    let (is_empty, all_passed) = (verdicts.is_empty(), verdicts.iter().all(|verdict| verdict.judged.passed));
    let verdicts = Verdicts { list: verdicts, time: start.elapsed(), slowest: args.verbose };
    printer::print(verdicts, "test", args.format.chosen());
    if is_empty {
        print_err!("no case matches these families and instructions");
        return Ok(Status::Misused);
    }
    Ok(if all_passed { Status::Fine } else { Status::Wrong })
}

/// Runs the case in a folder; `None` if it was not asked for.
fn judge(args: &TestArgs, folder: &Path) -> Option<Verdict> {
    let start = Instant::now();
    let name = folder.display().to_string();
    let mut judged = Judged { file: name.clone(), name, ..Judged::default() };
    let is_wanted = |family: &str, op: &str| {
        let wanted = |list: &[String], word: &str| list.is_empty() || list.iter().any(|entry| entry == word);
        wanted(&args.families, family) && wanted(&args.ops, op)
    };
    let (family, op, result) = if folder.join("case.json").is_file() {
        match Case::read(folder) {
            Ok(case) if !is_wanted(&case.family, &case.op) => return None,
            Ok(case) => {
                let result = match is_source(&case.program) {
                    true => cpp::run(&case, &limits(args), &mut judged),
                    false => launch::run(&case, &limits(args), &mut judged),
                };
                (case.family, case.op, result)
            }
            Err(error) => ("?".into(), "?".into(), Err(error.into())),
        }
    } else {
        let op = folder.file_name().map_or_else(|| "case".into(), |name| name.to_string_lossy().into_owned());
        if !is_wanted(PYPTO, &op) {
            return None;
        }
        debug_assert!(is_case(folder), "only cases are found");
        (PYPTO.to_owned(), op, pypto::run(args, folder, &mut judged))
    };
    let failure = match result {
        Ok(wrong) => wrong,
        Err(Failure::Data(error)) => {
            judged.error = Some(error.to_string());
            Some(error.to_string())
        }
        Err(Failure::Program(findings)) => {
            judged.findings = findings;
            Some(to_text(&judged.findings, &judged.source(), false))
        }
    };
    judged.passed = failure.is_none();
    judged.time = start.elapsed();
    Some(Verdict { judged, family, op, failure })
}

/// A launch that ends by the limits of the flags.
fn limits(args: &TestArgs) -> Spec {
    let max_steps = args.max_steps.unwrap_or(DEFAULT_MAX_STEPS);
    Spec { max_steps, max_seconds: args.max_seconds, ..Spec::default() }
}

impl Verdict {
    /// Text printed as soon as the case has ended.
    fn text(&self, args: &TestArgs) -> String {
        let time = milliseconds(self.judged.time);
        match &self.failure {
            Some(_) if args.quiet => String::new(),
            Some(failure) => {
                let indented = failure.trim_end().replace('\n', "\n  ");
                let time = if args.verbose { format!(" {time}") } else { String::new() };
                format!("FAILED{time} {}\n  {indented}\n", self.judged.name)
            }
            None if args.verbose => format!("ok     {time} {}\n", self.judged.name),
            None => String::new(),
        }
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:>9.3} ms", time.as_secs_f64() * 1e3)
}

/// The counts by family, on request the slowest cases, and the total.
fn sum(verdicts: &[Verdict], time: Duration, slowest: bool) -> String {
    let mut families: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for verdict in verdicts {
        let counts = families.entry(&verdict.family).or_default();
        *counts = (counts.0 + usize::from(verdict.judged.passed), counts.1 + 1);
    }
    let mut text = String::new();
    for (family, (passed, all)) in &families {
        text += &format!("{family}: {passed} of {all} passed\n");
    }
    if slowest {
        let mut sorted: Vec<_> = verdicts.iter().collect();
        sorted.sort_by_key(|verdict| std::cmp::Reverse(verdict.judged.time));
        text += &format!("{} in all; the slowest:\n", milliseconds(time).trim_start());
        for verdict in sorted.iter().take(SLOWEST) {
            text += &format!("  {} {}\n", milliseconds(verdict.judged.time), verdict.judged.name);
        }
    }
    let failed = verdicts.iter().filter(|verdict| !verdict.judged.passed).count();
    text + &format!("{} passed, {failed} failed\n", verdicts.len() - failed)
}

/// All results.
struct Verdicts {
    list: Vec<Verdict>,
    time: Duration,
    /// Whether the sum lists the slowest cases.
    slowest: bool,
}

impl Reported for Verdicts {
    fn print_text(&self) {
        print_out(&sum(&self.list, self.time, self.slowest));
    }

    fn json(&self) -> impl Serialize {
        let case = |Verdict { judged, family, op, failure }: &Verdict| CaseResult {
            case: judged.name.clone(),
            family: family.clone(),
            op: op.clone(),
            passed: judged.passed,
            failure: failure.clone(),
            diagnostics: report::findings(&judged.findings, &judged.source()),
            seconds: judged.time.as_secs_f64(),
        };
        let failed = self.list.iter().filter(|verdict| !verdict.judged.passed).count();
        TestReport {
            cases: self.list.iter().map(case).collect(),
            passed: self.list.len() - failed,
            failed,
            seconds: self.time.as_secs_f64(),
        }
    }

    fn into_judged(self) -> Vec<Judged> {
        self.list.into_iter().map(|verdict| verdict.judged).collect()
    }
}
