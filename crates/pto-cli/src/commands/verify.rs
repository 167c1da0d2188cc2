//! `pto verify`: whether a program is the lowered form of another one.

mod all;
mod by;
mod smallest;

use super::{Status, Text, beside, check_text, read_text};
use crate::args::{Assignment, VerifyArgs};
use crate::files::Disk;
use crate::judged::Judged;
use crate::printer::{self, Reported};
use crate::printer::{print_diagnostics, print_out};
use crate::render::SourceText;
use crate::report::{self, VerifiedKernel, VerifyReport};
use crate::settings::{Configured, Settings};
use pto::check::{names_target, profile_of};
use pto::data::DataError;
use pto::diag::Diagnostic;
use pto::launch::Spec;
use pto::prove::{Coverage, Outcome, Property, Verdict, Verification, VerifyOptions, verify};
use pto::{Checked, Program};
use serde::Serialize;
use std::time::Instant;

pub(super) fn run(args: &VerifyArgs) -> Result<Status, DataError> {
    let start = Instant::now();
    let configured = Configured::of(&args.profile, &args.rules)?;
    if args.all {
        return all::run(args, &configured);
    }
    if args.source.is_dir() {
        let error = DataError::misuse(format!("{}: this is a folder, not a program", args.source.display()));
        return Err(error.with_help(
            "`pto verify --all FOLDER --by COMMAND` verifies what a tool makes of all programs below it",
        ));
    }
    let settings = configured.of_program(&args.source)?;
    let source = read_text(&args.source)?;
    let lowered = match (&args.lowered, args.by.as_slice()) {
        (Some(path), _) => read_text(path)?,
        (None, [command]) => by::lower(command, &source, args.timeout)?,
        (None, []) => return Err(DataError::misuse("no lowered program is given")),
        (None, _) => return Err(DataError::misuse("several --by compare tools: with --all, on a folder")),
    };
    let Some(found) = with_arguments_beside(args, &source, &lowered, &settings)? else {
        // A program that is not legal computes nothing that could be kept.
        let findings = check_text(&source.text, &settings).err().unwrap_or_default();
        print_diagnostics(&findings, &source);
        return Ok(Status::Wrong);
    };
    let judged = Judged {
        name: lowered.name.clone(),
        file: lowered.name,
        text: lowered.text,
        passed: found.verdict == Verdict::Accepted,
        findings: found.findings.clone(),
        time: start.elapsed(),
        ..Judged::default()
    };
    let status = match found.verdict {
        Verdict::Accepted => Status::Fine,
        Verdict::Unknown => Status::Unknown,
        _ => Status::Wrong,
    };
    let verdict = Judgement { judged, verdict: found.verdict, kernels: &found.kernels, source: &source };
    printer::print(verdict, "verify", args.format.chosen());
    if let (Some(path), Some(command)) = (&args.shrink, args.by.first()) {
        smallest::write(args, path, command, &source, &settings, &found)?;
    }
    Ok(status)
}

/// Checks the source; `None` if it is not legal. A source without a target is checked for the target of the lowered
/// program. If it is not legal there, because the tool infers layouts, it is checked with the settings alone.
fn check_source(source: &str, lowered: &Checked, settings: &Settings) -> Option<Checked> {
    let module = lowered.module();
    let first = module.functions.iter().map(|(_, function)| function).next();
    let target = first.filter(|_| names_target(module)).map(|first| profile_of(first, None));
    let of_lowered = Settings { usual_target: target.or(settings.usual_target), ..settings.clone() };
    let checked = check_text(source, &of_lowered).or_else(|_| check_text(source, settings));
    checked.ok().map(|(checked, _)| checked)
}

/// Verifies with generated inputs. If their verdict is unknown, verifies with the inputs beside the source. Those alone
/// would prove less: in few programs they are varied enough.
fn with_arguments_beside(
    args: &VerifyArgs,
    source: &Text,
    lowered: &Text,
    settings: &Settings,
) -> Result<Option<Found>, DataError> {
    let found = judge(args, &source.text, lowered, settings)?;
    let is_unknown = found.as_ref().is_some_and(|found| found.verdict == Verdict::Unknown);
    if !is_unknown || !args.inputs.is_empty() {
        return Ok(found);
    }
    let none = Spec { entry: args.entry.clone(), ranks: args.ranks, ..Spec::default() };
    let spec = beside::completed(source, none)?;
    if spec.inputs.is_empty() {
        return Ok(found);
    }
    judge(&VerifyArgs { beside: Some(spec), ..args.clone() }, &source.text, lowered, settings)
}

/// Findings in a lowered program.
struct Found {
    verdict: Verdict,
    findings: Vec<Diagnostic>,
    kernels: Vec<(String, Verification)>,
    /// Whether the check accepts it.
    is_legal: bool,
}

/// Verifies the kernels of a lowered program. `None` if the source is not legal.
fn judge(
    args: &VerifyArgs,
    source: &str,
    lowered: &Text,
    settings: &Settings,
) -> Result<Option<Found>, DataError> {
    let lowered = match check_text(&lowered.text, settings) {
        Ok((lowered, _)) => lowered,
        Err(_) if check_text(source, settings).is_err() => return Ok(None),
        Err(findings) => {
            let verdict = Verdict::Rejected;
            return Ok(Some(Found { verdict, findings, kernels: Vec::new(), is_legal: false }));
        }
    };
    let Some(source) = check_source(source, &lowered, settings) else { return Ok(None) };
    let mut found =
        Found { verdict: Verdict::Accepted, findings: Vec::new(), kernels: Vec::new(), is_legal: true };
    for entry in entries(args, &source)? {
        let (verdict, findings) = match kernel(args, &entry, &source, &lowered, settings)? {
            Ok(verification) => {
                let said = (verification.verdict(), verification.findings());
                found.kernels.push((entry, verification));
                said
            }
            Err(findings) => (Verdict::Rejected, findings),
        };
        found.verdict = found.verdict.max(verdict);
        found.findings.extend(findings);
    }
    Ok(Some(found))
}

/// The kernels to verify.
fn entries(args: &VerifyArgs, source: &Checked) -> Result<Vec<String>, DataError> {
    if let Some(entry) = &args.entry {
        return Ok(vec![entry.clone()]);
    }
    let kernels = Program::kernels(source.module());
    match kernels.is_empty() {
        true => Err(DataError::new("the source has no kernel")),
        false => Ok(kernels),
    }
}

/// Verifies one kernel. Findings are those of a program that cannot be decoded.
fn kernel(
    args: &VerifyArgs,
    entry: &str,
    source: &Checked,
    lowered: &Checked,
    settings: &Settings,
) -> Result<Result<Verification, Vec<Diagnostic>>, DataError> {
    let decoded = Program::decode(source, Some(entry))
        .and_then(|source| Ok((source, Program::decode(lowered, Some(entry))?)));
    let (source, lowered) = match decoded {
        Ok(programs) => programs,
        Err(findings) => return Ok(Err(findings)),
    };
    let inputs = args.inputs.iter().map(Assignment::input).collect();
    let given = Spec { inputs, ranks: args.ranks, ..Spec::default() };
    let spec = args.beside.as_ref().filter(|spec| spec.entry.as_deref().is_none_or(|of| of == entry));
    let mut options = VerifyOptions::default();
    options.inputs = spec.unwrap_or(&given).inputs(&source, &Disk)?;
    options.blocks = args.blocks.or(spec.map(|spec| spec.blocks));
    options.ranks = spec.map_or(args.ranks, |spec| spec.ranks);
    options.seed = args.seed;
    options.target_given = settings.target.or(settings.usual_target).is_some();
    options.assume_v_chains = args.assume.iter().any(|word| word == "v-chains");
    verify(&source, &lowered, &options, &Disk).map(Ok)
}

/// The lowered program, and the verdicts about its kernels.
struct Judgement<'a> {
    judged: Judged,
    verdict: Verdict,
    kernels: &'a [(String, Verification)],
    source: &'a Text,
}

impl Reported for Judgement<'_> {
    fn print_text(&self) {
        let Judgement { judged, verdict, kernels, source } = self;
        print_diagnostics(&judged.findings, &Text { name: judged.file.clone(), text: judged.text.clone() });
        let texts = [judged.source(), SourceText::new(&source.name, &source.text)];
        kernels.iter().for_each(|(entry, verification)| print_out(&lines(entry, verification, &texts)));
        print_out(&format!("{}\n", verdict.word()));
    }

    fn json(&self) -> impl Serialize {
        let Judgement { judged, verdict, kernels, source } = self;
        let texts = [judged.source(), SourceText::new(&source.name, &source.text)];
        let kernel =
            |(entry, verification): &(String, Verification)| VerifiedKernel::of(entry, verification, &texts);
        VerifyReport {
            file: judged.file.clone(),
            verdict: verdict.word(),
            accepted: judged.passed,
            kernels: kernels.iter().map(kernel).collect(),
            diagnostics: report::findings(&judged.findings, &texts[0]),
            seconds: judged.time.as_secs_f64(),
        }
    }

    fn into_judged(self) -> Vec<Judged> {
        vec![self.judged]
    }
}

/// The verdict for each property of a kernel. The texts are those of the lowered program and of its source.
fn lines(entry: &str, verification: &Verification, texts: &[SourceText<'_>; 2]) -> String {
    let mut text = format!(
        "@{entry}: {} launches of {} compared{}\n",
        verification.runs,
        crate::printer::plural(verification.compared, "situation"),
        match verification.skipped {
            0 => String::new(),
            skipped => format!(", {skipped} skipped, in which the source does not run"),
        }
    );
    for (property, outcome) in &verification.properties {
        let mut said = match outcome {
            Outcome::Holds if *property == Property::Coverage => {
                format!("holds: {}", verification.coverage.describe(verification.compared))
            }
            Outcome::Holds => "holds".to_owned(),
            Outcome::Fails(found) => format!("fails: {}", found.message),
            Outcome::Unknown(why) => format!("unknown: {why}"),
            _ => continue,
        };
        if *property == Property::Coverage && verification.coverage.ran > 0 {
            said.push_str(&without_lines(&report::idle_lines(&verification.coverage, &texts[0])));
            let of_source = report::idle_lines(&verification.source, &texts[1]);
            if !of_source.is_empty() {
                let Coverage { ran, instructions, .. } = &verification.source;
                said.push_str(&format!(
                    "; {ran} of {instructions} of the source{}",
                    without_lines(&of_source)
                ));
            }
        }
        text.push_str(&format!("  {:<10} {said}\n", property.word()));
    }
    text
}

/// The lines that did not run, as ranges: `; lines 3, 7 to 9 did not run`.
fn without_lines(lines: &[usize]) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == *line => *last = *line,
            _ => ranges.push((*line, *line)),
        }
    }
    let range = |(first, last): &(usize, usize)| match first == last {
        true => first.to_string(),
        false => format!("{first} to {last}"),
    };
    match (lines, ranges.iter().map(range).collect::<Vec<_>>().join(", ")) {
        ([], _) => String::new(),
        ([_], line) => format!("; line {line} did not run"),
        (_, lines) => format!("; lines {lines} did not run"),
    }
}
