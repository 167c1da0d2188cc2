//! `pto verify`: whether a program is the lowered form of another one.

mod by;
mod smallest;

use super::{Status, Text, check_text, read_text};
use crate::args::{Assignment, VerifyArgs};
use crate::files::Disk;
use crate::judged::Judged;
use crate::printer::{self, Reported};
use crate::printer::{print_diagnostics, print_out};
use crate::report::{self, VerifiedKernel, VerifyReport};
use crate::settings::{Configured, Settings};
use pto::check::{names_target, profile_of};
use pto::data::DataError;
use pto::diag::Diagnostic;
use pto::launch::Spec;
use pto::prove::{Outcome, Verification, VerifyOptions, verify};
use pto::{Checked, Program};
use serde::Serialize;
use std::time::Instant;

pub(super) fn run(args: &VerifyArgs) -> Result<Status, DataError> {
    let start = Instant::now();
    let configured = Configured::of(&args.profile, &args.rules)?;
    let settings = configured.of_program(&args.source)?;
    let source = read_text(&args.source)?;
    let lowered = match (&args.lowered, &args.by) {
        (Some(path), _) => read_text(path)?,
        (None, Some(command)) => by::lower(command, &source, args.timeout)?,
        (None, None) => return Err(DataError::misuse("no lowered program is given")),
    };
    let checked = match check_source(&source.text, &lowered, &settings) {
        Ok((checked, _)) => checked,
        Err(findings) => {
            // A program that is not legal computes nothing that could be kept.
            print_diagnostics(&findings, &source);
            return Ok(Status::Wrong);
        }
    };
    let found = judge(args, &checked, &lowered, &settings)?;
    let judged = Judged {
        name: lowered.name.clone(),
        file: lowered.name,
        text: lowered.text,
        passed: found.findings.is_empty(),
        findings: found.findings.clone(),
        time: start.elapsed(),
        ..Judged::default()
    };
    let status = if judged.passed { Status::Fine } else { Status::Wrong };
    printer::print(Verdict(judged, &found.kernels), "verify", args.format.chosen());
    if let (Some(path), Some(command)) = (&args.shrink, &args.by) {
        smallest::write(args, (path, command), (&source, &settings), &found)?;
    }
    Ok(status)
}

/// Checks the source. One that names no target is for that of the lowered program, unless it is not legal there, as a source is from
/// which the tool infers layouts.
fn check_source(
    source: &str,
    lowered: &Text,
    settings: &Settings,
) -> Result<(Checked, Vec<Diagnostic>), Vec<Diagnostic>> {
    let target = || {
        let module = pto::parse(&lowered.text).ok()?.module;
        let (_, first) = module.functions.iter().next()?;
        names_target(&module).then(|| profile_of(first, None))
    };
    let usual_target = target().or(settings.usual_target);
    let of_lowered = Settings { usual_target, ..settings.clone() };
    check_text(source, &of_lowered).or_else(|_| check_text(source, settings))
}

/// What is found in a lowered program.
struct Found {
    findings: Vec<Diagnostic>,
    kernels: Vec<(String, Verification)>,
    /// Whether the check accepts it.
    is_legal: bool,
}

/// Verifies the kernels of a lowered program.
fn judge(
    args: &VerifyArgs,
    source: &Checked,
    lowered: &Text,
    settings: &Settings,
) -> Result<Found, DataError> {
    let mut found = Found { findings: Vec::new(), kernels: Vec::new(), is_legal: true };
    let lowered = match check_text(&lowered.text, settings) {
        Ok((lowered, _)) => lowered,
        Err(findings) => return Ok(Found { findings, is_legal: false, ..found }),
    };
    for entry in entries(args, source)? {
        match kernel(args, &entry, (source, &lowered))? {
            Ok(verification) => {
                found.findings.extend(verification.findings());
                found.kernels.push((entry, verification));
            }
            Err(findings) => found.findings.extend(findings),
        }
    }
    Ok(found)
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
    (source, lowered): (&Checked, &Checked),
) -> Result<Result<Verification, Vec<Diagnostic>>, DataError> {
    let decoded = Program::decode(source, Some(entry))
        .and_then(|source| Ok((source, Program::decode(lowered, Some(entry))?)));
    let (source, lowered) = match decoded {
        Ok(programs) => programs,
        Err(findings) => return Ok(Err(findings)),
    };
    let inputs = args.inputs.iter().map(Assignment::input).collect();
    let mut options = VerifyOptions::default();
    options.inputs = Spec { inputs, ranks: args.ranks, ..Spec::default() }.inputs(&source, &Disk)?;
    options.blocks = args.blocks;
    options.ranks = args.ranks;
    options.seed = args.seed;
    options.assume_v_chains = args.assume.iter().any(|word| word == "v-chains");
    verify(&source, &lowered, &options, &Disk).map(Ok)
}

/// The lowered program, and the verdicts about its kernels.
struct Verdict<'a>(Judged, &'a [(String, Verification)]);

impl Reported for Verdict<'_> {
    fn print_text(&self) {
        let Verdict(judged, kernels) = self;
        print_diagnostics(&judged.findings, &Text { name: judged.file.clone(), text: judged.text.clone() });
        kernels.iter().for_each(|(entry, verification)| print_out(&lines(entry, verification)));
        print_out(if judged.passed { "accepted\n" } else { "rejected\n" });
    }

    fn json(&self) -> impl Serialize {
        let Verdict(judged, kernels) = self;
        let kernel = |(entry, verification): &(String, Verification)| VerifiedKernel::of(entry, verification);
        VerifyReport {
            file: judged.file.clone(),
            accepted: judged.passed,
            kernels: kernels.iter().map(kernel).collect(),
            diagnostics: report::findings(&judged.findings, &judged.source()),
            seconds: judged.time.as_secs_f64(),
        }
    }

    fn into_judged(self) -> Vec<Judged> {
        vec![self.0]
    }
}

/// The verdict for each property of a kernel.
fn lines(entry: &str, verification: &Verification) -> String {
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
        let said = match outcome {
            Outcome::Holds => "holds".to_owned(),
            Outcome::Fails(found) => format!("fails: {}", found.message),
            Outcome::Unknown(why) => format!("unknown: {why}"),
            _ => continue,
        };
        text.push_str(&format!("  {:<10} {said}\n", property.word()));
    }
    text
}
