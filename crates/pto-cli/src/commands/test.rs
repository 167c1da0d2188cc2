//! `pto test`.

use super::expectation::{Again, Expectation};
use super::{Status, check_text, print_judged, print_out, read_text};
use crate::args::{Format, TestArgs};
use crate::case::{Case, CaseArg, Role, find};
use crate::files::Disk;
use crate::judged::Judged;
use crate::progress::Progress;
use crate::render::to_text;
use crate::report::{self, CaseResult, TestReport};
use crate::settings::Settings;
use pto::Program;
use pto::data::DataError;
use pto::data::shape_text;
use pto::data::{Array, npy};
use pto::data::{Failure, Given, Input, gather, to_array};
use pto::isa::Element;
use pto::sim::{ArgumentKind, DEFAULT_MAX_STEPS, Options};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Most cases that a sum lists as the slowest.
const SLOWEST: usize = 5;

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
            "there are no cases: a case is a folder with `case.json` and `kernel.pto`",
        ));
    }
    let mut verdicts = Vec::new();
    let progress = Progress::new(folders.len(), "cases");
    for folder in folders {
        progress.step();
        let case = Case::read(&folder);
        if let Ok(case) = &case {
            let wanted =
                |list: &[String], word: &str| list.is_empty() || list.iter().any(|entry| entry == word);
            if !wanted(&args.families, &case.family) || !wanted(&args.ops, &case.op) {
                continue;
            }
        }
        let verdict = judge(&folder, case, args.max_steps.unwrap_or(DEFAULT_MAX_STEPS));
        if args.format() == Format::Text {
            progress.aside(|| print_out(&verdict.text(args)));
        }
        verdicts.push(verdict);
    }
    drop(progress);
    match args.format() {
        Format::Text => print_out(&sum(&verdicts, start.elapsed(), args.verbose)),
        Format::Json => print_out(&report::to_text(&report(&verdicts, start.elapsed()))),
        format => {
            let judged: Vec<_> = verdicts.iter().map(|verdict| verdict.judged.clone()).collect();
            print_judged(format, "test", &judged);
        }
    }
    if verdicts.is_empty() {
        eprintln!("no case matches these families and instructions");
        return Ok(Status::Wrong);
    }
    let all_passed = verdicts.iter().all(|verdict| verdict.judged.passed);
    Ok(if all_passed { Status::Fine } else { Status::Wrong })
}

fn judge(folder: &Path, case: Result<Case, DataError>, max_steps: u64) -> Verdict {
    let start = Instant::now();
    let name = folder.display().to_string();
    let mut judged = Judged { file: name.clone(), name, ..Judged::default() };
    let (family, op, result) = match case {
        Ok(case) => {
            let result = run_case(&case, max_steps, &mut judged);
            (case.family, case.op, result)
        }
        Err(error) => ("?".into(), "?".into(), Err(error.into())),
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
    Verdict { judged, family, op, failure }
}

/// Runs a case. Returns the text of the first argument that differs from its expectation, if one does; its finding is
/// in `judged`.
fn run_case(case: &Case, max_steps: u64, judged: &mut Judged) -> Result<Option<String>, Failure> {
    let text = read_text(&case.program)?;
    (judged.file, judged.text) = (text.name, text.text);
    let (checked, _) = check_text(&judged.text, &Settings::of_target(case.profile))?;
    let program = Program::decode(&checked, None)?;
    let options = Options::default().max_steps(max_steps);
    let inputs = inputs(case)?;
    let arguments = gather(&program, &inputs, 0, 1, &options, &Disk)?;
    let outcome = program.launch_ranks(arguments.ranks.clone(), &options)?;
    let again = Again { program: &program, options: &options, values: &arguments.ranks };
    let is_buffer = |kind| match kind {
        ArgumentKind::Buffer(element) => Some(element),
        _ => None,
    };
    let elements = arguments.signature.arguments.iter().map(|argument| is_buffer(argument.kind));
    let buffers = case.args.iter().zip(elements).filter_map(|(argument, element)| Some((argument, element?)));
    for (number, ((argument, element), buffer)) in buffers.zip(outcome.buffers).enumerate() {
        let Some(expect) = expectation(argument) else { continue };
        let want = read(argument, expect, element)?;
        let shape = want.shape().iter().map(|extent| *extent as u64).collect();
        let got = to_array(element, buffer.bytes, Some(shape))?;
        let compared = Expectation::of(&argument.name, (got, want), &case.tolerance, number, Some(&again))?;
        if let Some(finding) = compared.finding() {
            let text = compared.text(&judged.source());
            judged.findings.push(finding);
            return Ok(Some(text));
        }
    }
    Ok(None)
}

/// Reads a file of a case and checks its shape.
fn read(argument: &CaseArg, file: &Path, element: Element) -> Result<Array, DataError> {
    let array = npy::read(file, element, &Disk)?;
    if array.shape() != argument.shape {
        let (has, said) = (shape_text(array.shape()), shape_text(&argument.shape));
        let message = format!(
            "{}: its shape is {has}, but `{}` has the shape {said} in case.json",
            file.display(),
            argument.name
        );
        return Err(
            DataError::new(message).with_help("correct `shape` in case.json, or record the file again")
        );
    }
    Ok(array)
}

fn expectation(argument: &CaseArg) -> Option<&Path> {
    match &argument.role {
        Role::Out(expect) | Role::InOut { expect, .. } => Some(expect),
        Role::In(_) | Role::Scalar(_) => None,
    }
}

/// The inputs of a case for a launch.
pub(super) fn inputs(case: &Case) -> Result<Vec<Input>, DataError> {
    let mut inputs = Vec::new();
    for (index, argument) in case.args.iter().enumerate() {
        let element = argument.dtype.storage();
        let given = match &argument.role {
            Role::In(file) | Role::InOut { file, .. } => Given::Array(read(argument, file, element)?),
            Role::Scalar(bits) => Given::Bits(*bits),
            Role::Out(expect) => {
                let shape = read(argument, expect, element)?.shape().to_vec();
                Given::Array(Array::zeros(element, shape)?)
            }
        };
        inputs.push(Input { argument: index, rank: None, given });
    }
    Ok(inputs)
}

impl Verdict {
    /// What is printed as soon as the case has ended.
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

fn report(verdicts: &[Verdict], time: Duration) -> TestReport {
    let case = |Verdict { judged, family, op, failure }: &Verdict| CaseResult {
        case: judged.name.clone(),
        family: family.clone(),
        op: op.clone(),
        passed: judged.passed,
        failure: failure.clone(),
        diagnostics: report::findings(&judged.findings, &judged.source()),
        seconds: judged.time.as_secs_f64(),
    };
    let failed = verdicts.iter().filter(|verdict| !verdict.judged.passed).count();
    TestReport {
        cases: verdicts.iter().map(case).collect(),
        passed: verdicts.len() - failed,
        failed,
        seconds: time.as_secs_f64(),
    }
}
