//! `pto run`.

mod cpp;
mod found;

use super::advice::Advisor;
use super::beside;
use super::expectation::{Expectation, LastWrite};
use super::kernel::{self, Compilation, KernelFile, Place};
use super::summary::Seen;
use super::{Status, Text, check_text, read_text};
use crate::args::{Assignment, RunArgs};
use crate::files::Disk;
use crate::judged::Judged;
use crate::output::{Output, follow, write_all};
use crate::printer::{self, print_error};
use crate::progress::Progress;
use crate::settings::{Configured, Settings};
use found::Found;
pub(super) use found::print_results;
use pto::Program;
use pto::data::{DataError, Expected, Failure, Given, Input, Source, item_bytes, place};
use pto::diag::Diagnostic;
use pto::isa::Element;
use pto::launch::{ArgumentResult, Launch, RankArgument, Report, Spec, is_found, lints, unfit};
use pto::log::Recorder;
use pto::observe::{Dump, Dumper};
use pto::sim::{ArgumentKind, Control, Observer, Schedule, Signature, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

pub(super) fn run(args: &RunArgs) -> Result<Status, DataError> {
    let configured = Configured::of(&args.profile, &args.rules)?.running_refused(args.run_refused);
    if let Some(folder) = &args.all {
        return super::sweep::run(args, &configured, folder);
    }
    if let Some(path) = &args.sequence {
        return super::sequence::run(args, &configured, path);
    }
    // Without `--all` and `--sequence` the flags require a file.
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let settings = configured.of_program(path)?;
    let compilation =
        Compilation { max_seconds: args.max_seconds, ..kernel::compilation(path, &args.kernel, &settings) };
    let place = kernel::place(&compilation, &cpp::refused(args)).inspect_err(|error| {
        let name = path.display().to_string();
        let judged = Judged { file: name.clone(), name, ..Judged::default() };
        print_error(judged, error, "run", args.format.chosen());
    })?;
    if let Place::Ended(status) = place {
        return Ok(status);
    }
    let text = read_text(path)?;
    let start = Instant::now();
    let ran = match place {
        Place::Linked(kernels) => cpp::run(args, &settings, KernelFile { path, text: &text }, kernels),
        _ => run_text(args, &settings, &text),
    };
    let found = match ran {
        Ok(found) => found,
        Err(Failure::Data(error)) => {
            print_error(judged(&text, start), &error, "run", args.format.chosen());
            return Err(error);
        }
        Err(Failure::Program(findings)) => Found::of(args, &text, start, findings),
    };
    let status = found.status();
    printer::print(found, "run", args.format.chosen());
    Ok(status)
}

/// A program of which nothing is known yet.
fn judged(text: &Text, start: Instant) -> Judged {
    let (name, text) = (text.name.clone(), text.text.clone());
    Judged { file: name.clone(), name, text, time: start.elapsed(), ..Judged::default() }
}

fn run_text<'a>(args: &'a RunArgs, settings: &Settings, text: &'a Text) -> Result<Found<'a>, Failure> {
    let start = Instant::now();
    let spec = Spec { max_reports: usize::MAX, ..beside::completed(text, args.spec())? };
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
    let expected = assignments(&args.expect, &signature, spec.ranks)?;
    check_files_differ(args, &inputs, &outputs)?;
    let launch = match spec.prepare_with(&program, &inputs, &Disk) {
        Err(Failure::Data(error)) => return refuse(args, &program, error, text, start),
        launch => launch?,
    };
    let advisor = Advisor {
        text: &text.text,
        settings,
        spec: &spec,
        program: &program,
        inputs: &inputs,
        most: args.max_reports,
    };
    let expected = expectations(expected, &signature, &launch)?;
    let kept = (args.repeat > 1 || !expected.is_empty()).then(|| launch.clone());
    let launched = match &args.log {
        None => launch_all(args, launch, &dumps, kept.as_ref(), None).map_err(Failure::from),
        Some(path) => super::log::write(text, path, |recorder| {
            launch_all(args, launch, &dumps, kept.as_ref(), Some(recorder))
        }),
    };
    let Launched { mut report, times } = match launched {
        Ok(launched) => launched,
        Err(Failure::Program(findings)) => {
            let findings = settings.level(findings, &text.text).findings;
            return Err(advisor.advise(&warnings, findings, 0).into());
        }
        Err(error) => return Err(error),
    };
    let printed = std::mem::take(&mut report.outcome.printed);
    let watches = !spec.watch.is_empty();
    let seen = watches.then(|| Seen::of(&program, &report.outcome, &report.watched.examined));
    let found = report.findings();
    let mut warnings = warnings;
    warnings.retain(|lint| !is_found(lint, &found));
    let found = settings.level(found, &text.text).findings;
    let mut diagnostics = advisor.advise(&warnings, found, report.outcome.steps);
    let results = report.results()?;
    let saved = outputs.iter().map(|(at, _)| (*at, "-o"));
    let wanted: Vec<_> = saved.chain(expected.iter().map(|(at, _)| (*at, "--expect"))).collect();
    let interface = program.interface();
    let found = lints(&program, &interface, &text.text, &inputs, &Disk, &results, &wanted);
    diagnostics.extend(settings.level(found, &text.text).findings);
    let compared = compare_all(args, &results, expected, LastWrite::of(kept.as_ref()))?;
    write_outputs(&outputs, &results)?;
    let not_given = beside::not_given(interface, &inputs);
    let found = Found::of(args, text, start, diagnostics);
    Ok(Found { not_given, warnings, results, compared, times, printed, seen, stopped: None, ..found })
}

/// The report about contents that do not fit their argument; an error that is about no argument is passed on.
fn refuse<'a>(
    args: &'a RunArgs,
    program: &Program,
    error: DataError,
    text: &'a Text,
    start: Instant,
) -> Result<Found<'a>, Failure> {
    let Some(finding) = unfit(program, &error) else { return Err(error.into()) };
    let status = if error.misuse { Status::Misused } else { Status::Wrong };
    Ok(Found { stopped: Some(status), ..Found::of(args, text, start, vec![finding]) })
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
    files: Vec<(RankArgument, PathBuf)>,
    signature: &Signature,
    launch: &Launch<'_>,
) -> Result<Vec<(RankArgument, Expected)>, DataError> {
    let one = |(at, path): (RankArgument, PathBuf)| {
        let element = element_of(signature, at.0)?;
        let items = match launch.ranks.get(at.1 as usize).and_then(|values| values.get(at.0)) {
            Some(Value::Buffer { bytes }) => Some(bytes.len() / item_bytes(element)),
            _ => None,
        };
        let source = Source::of_file(&path.to_string_lossy());
        Ok((at, Expected::read(&source, element, items, &Disk)?))
    };
    files.into_iter().map(one).collect()
}

/// Results of a launch: of the last one, if it is repeated.
struct Launched<'a> {
    report: Report<'a>,
    /// Nanoseconds of each launch, in ascending order.
    times: Vec<u128>,
}

/// Launches as often as the flags require. `kept` has the arguments of the second and later launches. The log is that of
/// the last launch.
fn launch_all<'a>(
    args: &RunArgs,
    launch: Launch<'a>,
    dumps: &[Dump],
    kept: Option<&Launch<'a>>,
    mut recorder: Option<&mut Recorder<'_>>,
) -> Result<Launched<'a>, Vec<Diagnostic>> {
    let blocks = u64::from(launch.options.blocks).saturating_mul(launch.ranks.len() as u64);
    let control = Arc::new(Control::default());
    let mut once = |mut launch: Launch<'a>, is_last: bool| {
        launch.options.control = Some(Arc::clone(&control));
        let mut dumper = Dumper::new(dumps);
        let mut observers: Vec<&mut dyn Observer> = vec![&mut dumper];
        let recorder = recorder.as_deref_mut().filter(|_| is_last);
        observers.extend(recorder.map(|recorder| recorder as &mut dyn Observer));
        let start = Instant::now();
        let report = launch.run(&mut observers)?;
        let time = start.elapsed().as_nanos();
        Ok::<_, Vec<Diagnostic>>((report, time))
    };
    let launches = || {
        let (mut report, first) = once(launch, args.repeat <= 1)?;
        let mut times = vec![first];
        for (number, again) in (2..=args.repeat).filter_map(|number| Some((number, kept.cloned()?))) {
            let time;
            (report, time) = once(again, number == args.repeat)?;
            times.push(time);
        }
        times.sort_unstable();
        Ok(Launched { report, times })
    };
    let progress = Progress::new(blocks.saturating_mul(args.repeat.into()) as usize, "blocks");
    progress.follow(|| control.ended_blocks(), launches)
}

/// Compares results with the expected arrays.
fn compare_all(
    args: &RunArgs,
    results: &[ArgumentResult],
    expected: Vec<(RankArgument, Expected)>,
    last: LastWrite<'_>,
) -> Result<Vec<Expectation>, DataError> {
    let tolerance = args.tolerance.tolerance();
    let mut compared = Vec::new();
    for (at, want) in expected {
        let is_it = |result: &&ArgumentResult| (result.argument, result.rank) == at;
        let Some((buffer, result)) = results.iter().enumerate().find(|(_, result)| is_it(result)) else {
            continue;
        };
        compared.push(Expectation::of(&result.name, result.array.clone(), want, &tolerance, buffer, last)?);
    }
    Ok(compared)
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
