//! `pto run`.

use super::expectation::Expectation;
use super::summary::Seen;
use super::{Status, Text, check_text, is_for_ci, print_diagnostics, print_judged, print_out, read_text};
use crate::args::{Assignment, Format, RunArgs};
use crate::files::Disk;
use crate::judged::Judged;
use crate::output::{Output, follow, write_all};
use crate::progress::Progress;
use crate::render::SourceText;
use crate::report::{self, RunReport, Time};
use crate::settings::{Configured, Settings};
use pto::Program;
use pto::data::{Array, DataError, Failure, Given, Input, Tolerance, place, read_array};
use pto::diag::{Diagnostic, Severity};
use pto::isa::Element;
use pto::launch::{ArgumentResult, Launch, RankArgument, Report, is_found, lints, unfit};
use pto::log::{Log, Recorder};
use pto::observe::{Dump, Dumper};
use pto::sim::{ArgumentKind, Control, Observer, Schedule, Signature};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

pub(super) fn run(args: &RunArgs) -> Result<Status, DataError> {
    let configured = Configured::of(&args.profile, &args.rules)?;
    if let Some(folder) = &args.all {
        return super::sweep::run(args, &configured, folder);
    }
    if let Some(path) = &args.sequence {
        return super::sequence::run(args, &configured, path);
    }
    // Without `--all` and `--sequence` the flags require a file.
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let settings = configured.of_program(path)?;
    let text = read_text(path)?;
    let start = Instant::now();
    match run_text(args, &settings, &text) {
        Ok(status) => Ok(status),
        Err(Failure::Data(error)) => {
            // A CI system reads what is printed, not only the status.
            if is_for_ci(args.format()) {
                print_judged(
                    args.format(),
                    "run",
                    &[Judged { error: Some(error.to_string()), ..judged(&text, start) }],
                );
            }
            Err(error)
        }
        Err(Failure::Program(findings)) => {
            print_findings(args, findings, &text, start);
            Ok(Status::Wrong)
        }
    }
}

/// A program of which nothing is known yet.
fn judged(text: &Text, start: Instant) -> Judged {
    let (name, text) = (text.name.clone(), text.text.clone());
    Judged { file: name.clone(), name, text, time: start.elapsed(), ..Judged::default() }
}

/// Prints the findings that prevent a result, in the format of `--format`.
fn print_findings(args: &RunArgs, findings: Vec<Diagnostic>, text: &Text, start: Instant) {
    match args.format() {
        Format::Text => print_diagnostics(&findings, text),
        Format::Json => {
            let source = SourceText::new(&text.name, &text.text);
            let diagnostics = report::findings(&findings, &source);
            print_out(&report::to_text(&RunReport { diagnostics, ..RunReport::default() }));
        }
        format => print_judged(format, "run", &[Judged { findings, ..judged(text, start) }]),
    }
}

fn run_text(args: &RunArgs, settings: &Settings, text: &Text) -> Result<Status, Failure> {
    let start = Instant::now();
    let spec = args.spec();
    let (checked, warnings) = check_text(&text.text, settings)?;
    let program = Program::decode(&checked, spec.entry.as_deref())?;
    let dumps = dumps(args, text)?;
    if args.log.is_some() && spec.schedule != Schedule::Program {
        let error =
            DataError::misuse("--log lists instructions in program order, so `--schedule` must be `program`");
        return Err(error.into());
    }
    let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
    let inputs = match spec.inputs(&program, &Disk) {
        Ok(inputs) => inputs,
        Err(error) => return refuse(args, &program, error, text, start),
    };
    let outputs = assignments(&args.outputs, &signature, spec.ranks)?;
    let expected = expectations(args, &signature, spec.ranks)?;
    check_files_differ(args, &inputs, &outputs)?;
    let launch = match spec.prepare_with(&program, &inputs, &Disk) {
        Err(Failure::Data(error)) => return refuse(args, &program, error, text, start),
        launch => launch?,
    };
    let kept = (args.repeat > 1 || !expected.is_empty()).then(|| launch.clone());
    let Launched { mut report, log, times } = launch_all(args, launch, &dumps, kept.as_ref())?;
    let printed = std::mem::take(&mut report.outcome.printed);
    let watches = !spec.watch.is_empty();
    let seen = watches.then(|| Seen::of(&program, &report.outcome, &report.watched.examined));
    let source = SourceText::new(&text.name, &text.text);
    if let Some(path) = &args.log {
        super::log::write(log, text, path)?;
    }
    let mut diagnostics = warnings;
    diagnostics.retain(|lint| !is_found(lint, &report.watched.findings));
    let mut found = report.findings();
    let results = report.results()?;
    let saved = outputs.iter().map(|(at, _)| (*at, "-o"));
    let wanted: Vec<_> = saved.chain(expected.iter().map(|(at, _)| (*at, "--expect"))).collect();
    found.extend(lints(&program, &text.text, (&inputs, &Disk), &results, &wanted));
    diagnostics.extend(settings.level(found, &text.text).findings);
    let found = diagnostics.iter().any(|finding| finding.severity == Severity::Error);
    let compared = compare_all(args, &results, expected, kept.as_ref())?;
    write_outputs(&outputs, &results)?;
    let wrong = compared.iter().any(|expectation| !expectation.passed());
    match args.format() {
        Format::Json => {
            let report = RunReport {
                diagnostics: report::findings(&diagnostics, &source),
                outputs: written(&results)
                    .map(|result| report::Output::of(&result.name, &result.array))
                    .collect(),
                expect: compared.iter().map(|expectation| expectation.report(&source)).collect(),
                time: time(&times),
                printed,
                watched: seen.as_ref().map(Seen::report),
            };
            print_out(&report::to_text(&report));
        }
        Format::Text => {
            print_diagnostics(&diagnostics, text);
            if let Some(seen) = seen.filter(|_| !found) {
                eprint!("{}", seen.line());
            }
            print_text(args, &results, &compared, &times, &printed, &source);
        }
        format => {
            diagnostics.extend(compared.iter().filter_map(Expectation::finding));
            let passed = !wrong && !found;
            print_judged(format, "run", &[Judged { findings: diagnostics, passed, ..judged(text, start) }]);
        }
    }
    Ok(if wrong || found { Status::Wrong } else { Status::Fine })
}

/// Reports contents that do not fit their argument; an error that is about no argument is passed on.
fn refuse(
    args: &RunArgs,
    program: &Program,
    error: DataError,
    text: &Text,
    start: Instant,
) -> Result<Status, Failure> {
    let Some(finding) = unfit(program, &error) else { return Err(error.into()) };
    print_findings(args, vec![finding], text, start);
    Ok(if error.misuse { Status::Misused } else { Status::Wrong })
}

fn dumps(args: &RunArgs, text: &Text) -> Result<Vec<Dump>, DataError> {
    let mut dumps = Vec::new();
    for point in &args.dump {
        let mut start = 0;
        let lines: Vec<_> = text.text.split_inclusive('\n').collect();
        let Some(line) = (point.line as usize).checked_sub(1).and_then(|at| lines.get(at)) else {
            let message = format!("--dump: {} has {} lines, no line {}", text.name, lines.len(), point.line);
            return Err(DataError::misuse(message));
        };
        for before in &lines[..point.line as usize - 1] {
            start += before.len() as u32;
        }
        if !text.text.contains(&format!("%{}", point.tile)) {
            return Err(DataError::misuse(format!("--dump: the program has no `%{}`", point.tile)));
        }
        dumps.push(Dump { tile: point.tile.clone(), from: start, to: start + line.len() as u32 });
    }
    Ok(dumps)
}

/// Checks that every output has a file of its own, which no input is.
fn check_files_differ(
    args: &RunArgs,
    given: &[Input],
    outputs: &[(RankArgument, PathBuf)],
) -> Result<(), DataError> {
    let files = given.iter().filter_map(|input| match &input.given {
        Given::Source(source) => source.path(),
        _ => None,
    });
    let mut taken: Vec<PathBuf> = files.chain(args.file.as_deref()).map(follow).collect();
    for path in outputs.iter().map(|(_, path)| path.as_path()).chain(args.log.as_deref()) {
        let target = follow(path);
        // A target that is not a regular file, such as /dev/null, may be written by several outputs.
        let is_file = std::fs::metadata(&target).map_or(true, |known| known.is_file());
        if is_file && taken.contains(&target) {
            let message = format!("{}: this file is read or written already by this command", path.display());
            return Err(DataError::misuse(message).with_help("give each output a file of its own"));
        }
        taken.push(target);
    }
    Ok(())
}

fn assignments(
    list: &[Assignment],
    signature: &Signature,
    ranks: u32,
) -> Result<Vec<(RankArgument, PathBuf)>, DataError> {
    let mut found = Vec::new();
    for assignment in list {
        let (at, rank) = place(signature, &assignment.arg, ranks)?;
        element_of(signature, at)?;
        let Some(rank) = rank.or((ranks == 1).then_some(0)) else {
            let message = format!("`{}`: each of {ranks} ranks has that argument", assignment.arg);
            let help = format!("name the rank: `{}@0`", assignment.arg);
            return Err(DataError::misuse(message).with_help(help));
        };
        found.push(((at, rank), PathBuf::from(&assignment.value)));
    }
    Ok(found)
}

fn element_of(signature: &Signature, at: usize) -> Result<Element, DataError> {
    match signature.arguments[at].kind {
        ArgumentKind::Buffer(element) => Ok(element),
        _ => Err(DataError::misuse(format!("argument `{}` is not a buffer", signature.arguments[at].name))),
    }
}

/// The expected arrays, read before the run so that errors in files appear first.
fn expectations(
    args: &RunArgs,
    signature: &Signature,
    ranks: u32,
) -> Result<Vec<(RankArgument, Array)>, DataError> {
    let files = assignments(&args.expect, signature, ranks)?;
    files
        .into_iter()
        .map(|(at, path)| Ok((at, read_array(&path.to_string_lossy(), element_of(signature, at.0)?, &Disk)?)))
        .collect()
}

/// Results of a launch: of the last one, if it is repeated.
struct Launched<'a> {
    report: Report<'a>,
    log: Log,
    /// Nanoseconds of each launch, in ascending order.
    times: Vec<u128>,
}

/// Launches as often as the flags say; `kept` has the arguments of the second launch and the following ones.
fn launch_all<'a>(
    args: &RunArgs,
    launch: Launch<'a>,
    dumps: &[Dump],
    kept: Option<&Launch<'a>>,
) -> Result<Launched<'a>, Vec<Diagnostic>> {
    let blocks = u64::from(launch.options.blocks).saturating_mul(launch.ranks.len() as u64);
    let control = Arc::new(Control::default());
    let once = |mut launch: Launch<'a>| {
        launch.options.control = Some(Arc::clone(&control));
        let mut dumper = Dumper::new(dumps);
        let mut recorder = args.log.is_some().then(Recorder::of_log);
        let mut observers: Vec<&mut dyn Observer> = vec![&mut dumper];
        observers.extend(recorder.as_mut().map(|recorder| recorder as &mut dyn Observer));
        let start = Instant::now();
        let report = launch.run(&mut observers)?;
        let time = start.elapsed().as_nanos();
        Ok::<_, Vec<Diagnostic>>((report, recorder.map(Recorder::into_log).unwrap_or_default(), time))
    };
    let launches = || {
        let (mut report, mut log, first) = once(launch)?;
        let mut times = vec![first];
        for again in (1..args.repeat).filter_map(|_| kept.cloned()) {
            let time;
            (report, log, time) = once(again)?;
            times.push(time);
        }
        times.sort_unstable();
        Ok(Launched { report, log, times })
    };
    let progress = Progress::new(blocks.saturating_mul(args.repeat.into()) as usize, "blocks");
    progress.follow(|| control.ended_blocks(), launches)
}

/// Compares results with the expected arrays.
fn compare_all(
    args: &RunArgs,
    results: &[ArgumentResult],
    expected: Vec<(RankArgument, Array)>,
    again: Option<&Launch<'_>>,
) -> Result<Vec<Expectation>, DataError> {
    let tolerance = Tolerance { atol: args.atol, rtol: args.rtol, ulp: args.ulp, nan_payload_matters: false };
    let mut compared = Vec::new();
    for (at, want) in expected {
        let is_it = |result: &&ArgumentResult| (result.argument, result.rank) == at;
        let Some((buffer, result)) = results.iter().enumerate().find(|(_, result)| is_it(result)) else {
            continue;
        };
        compared.push(Expectation::of(
            &result.name,
            (result.array.clone(), want),
            &tolerance,
            buffer,
            again,
        )?);
    }
    Ok(compared)
}

/// The arguments that the run wrote.
fn written(results: &[ArgumentResult]) -> impl Iterator<Item = &ArgumentResult> {
    results.iter().filter(|result| result.written)
}

/// Times of launches, which are sorted; `None` without launches.
fn time(times: &[u128]) -> Option<Time> {
    let (min_ns, median_ns) = (*times.first()? as u64, times[times.len() / 2] as u64);
    Some(Time { launches: times.len(), min_ns, median_ns })
}

fn write_outputs(outputs: &[(RankArgument, PathBuf)], results: &[ArgumentResult]) -> Result<(), DataError> {
    let files: Vec<_> = outputs
        .iter()
        .filter_map(|(at, path)| {
            let result = results.iter().find(|result| (result.argument, result.rank) == *at)?;
            Some(Output::npy(path, &result.array))
        })
        .collect();
    write_all(&files)
}

fn print_text(
    args: &RunArgs,
    results: &[ArgumentResult],
    compared: &[Expectation],
    times: &[u128],
    printed: &[String],
    source: &SourceText<'_>,
) {
    for text in printed {
        print_out(&format!("{text}\n"));
    }
    let silent = args.quiet || !args.outputs.is_empty() || !args.expect.is_empty();
    for result in written(results).filter(|_| !silent) {
        print_out(&format!("{} = {}\n", result.name, result.array.describe()));
    }
    for expectation in compared.iter().filter(|expectation| !(args.quiet && expectation.passed())) {
        print_out(&expectation.text(source));
    }
    if let Some(Time { launches, min_ns, median_ns }) = time(times).filter(|_| args.time) {
        print_out(&format!("launches {launches}, min {min_ns} ns, median {median_ns} ns\n"));
    }
}
