//! `pto run`.

use super::arguments::{is_found, lints, unfit};
use super::expectation::{Again, Expectation};
use super::summary::Seen;
use super::{Status, Text, check_text, is_for_ci, print_diagnostics, print_judged, print_out, read_text};
use crate::args::{Assignment, Format, RunArgs, ScheduleArg, TconcatIndex};
use crate::files::Disk;
use crate::judged::Judged;
use crate::output::{Output, follow, write_all};
use crate::progress::Progress;
use crate::render::SourceText;
use crate::report::{self, RunReport, Time};
use crate::settings::{Configured, Settings};
use pto::Program;
use pto::data::Array;
use pto::data::DataError;
use pto::data::Source;
use pto::data::Tolerance;
use pto::data::{Arguments, Failure, Given, Input, gather, located, place, read_array, to_array};
use pto::diag::{Diagnostic, Severity};
use pto::isa::Element;
use pto::log::{Log, Recorder};
use pto::observe::{Dump, Dumper, Watch, WatchOptions, Watched, Watchers};
use pto::sim::Observer;
use pto::sim::{
    ArgumentKind, BufferState, Control, DEFAULT_MAX_STEPS, IndexUnit, Options, Outcome, Schedule, Signature,
    Value,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// The contents of an argument after the run.
pub(super) struct ArgumentResult {
    pub(super) name: String,
    argument: usize,
    rank: u32,
    pub(super) array: Array,
    pub(super) written: bool,
}

impl ArgumentResult {
    /// Number of the argument.
    pub(super) fn argument(&self) -> usize {
        self.argument
    }
}

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
    let (checked, warnings) = check_text(&text.text, settings)?;
    let program = Program::decode(&checked, args.entry.as_deref())?;
    let options = options(args);
    let dumps = dumps(args, text)?;
    if args.log.is_some() && options.schedule != Schedule::Program {
        let error =
            DataError::misuse("--log lists instructions in program order, so `--schedule` must be `program`");
        return Err(error.into());
    }
    let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
    let given = match inputs(&args.inputs, args.ranks, &signature) {
        Ok(given) => given,
        Err(error) => return refuse(args, &program, error, text, start),
    };
    let outputs = assignments(&args.outputs, &signature, args.ranks)?;
    let expected = expectations(args, &signature)?;
    check_files_differ(args, &given, &outputs)?;
    let arguments = match gather(&program, &given, args.seed, args.ranks, &options, &Disk) {
        Err(Failure::Data(error)) => return refuse(args, &program, error, text, start),
        gathered => gathered?,
    };
    let options = options.blank(blank(&given, &arguments));
    let kept = (args.repeat > 1 || !expected.is_empty()).then(|| arguments.ranks.clone());
    let owners = owners(&arguments.ranks);
    let Launched { outcome, watched, log, times } =
        launch(args, &program, (arguments, &dumps), &options, kept.as_deref())?;
    let printed = outcome.printed.clone();
    let watches = !watchers(&args.watch).is_empty();
    let seen = watches.then(|| Seen::of(&program, &outcome, &watched.examined));
    let source = SourceText::new(&text.name, &text.text);
    if let Some(path) = &args.log {
        super::log::write(log, text, path)?;
    }
    let mut diagnostics = warnings;
    diagnostics.retain(|lint| !is_found(lint, &watched.findings));
    let mut found = watched.after(&outcome);
    let results = results(&signature, &owners, outcome.buffers)?;
    let saved = outputs.iter().map(|(at, _)| (*at, "-o"));
    let wanted: Vec<_> = saved.chain(expected.iter().map(|(at, _)| (*at, "--expect"))).collect();
    found.extend(lints(&program, text, &given, &results, &wanted));
    diagnostics.extend(settings.level(found, &text.text).findings);
    let found = diagnostics.iter().any(|finding| finding.severity == Severity::Error);
    let again = kept.as_deref().map(|values| Again { program: &program, options: &options, values });
    let compared = compare_all(args, &results, expected, again.as_ref())?;
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

pub(super) fn schedule(order: ScheduleArg) -> Schedule {
    match order {
        ScheduleArg::Program => Schedule::Program,
        ScheduleArg::Lazy => Schedule::Lazy,
        ScheduleArg::Eager => Schedule::Eager,
        ScheduleArg::Random => Schedule::Random,
        ScheduleArg::Adversarial => Schedule::Adversarial,
    }
}

/// Buffers without input.
pub(super) fn blank(given: &[Input], arguments: &Arguments) -> Vec<(u32, usize)> {
    let is_given = |argument: usize, rank: u32| {
        given.iter().any(|input| input.argument == argument && input.rank.is_none_or(|of| of == rank))
    };
    let places = owners(&arguments.ranks).into_iter();
    places.filter(|(at, rank)| !is_given(*at, *rank)).map(|(at, rank)| (rank, at)).collect()
}

/// The unit of `--tconcat-index`.
pub(super) fn index_unit(unit: TconcatIndex) -> IndexUnit {
    match unit {
        TconcatIndex::Bytes => IndexUnit::Bytes,
        TconcatIndex::Columns => IndexUnit::Columns,
    }
}

/// Launch options from the flags.
pub(super) fn options(args: &RunArgs) -> Options {
    Options::default()
        .blocks(args.blocks)
        .threads(args.threads)
        .max_steps(args.max_steps.unwrap_or(DEFAULT_MAX_STEPS))
        .schedule(schedule(args.schedule))
        .seed(args.schedule_seed.unwrap_or(args.seed))
        .sync_inserted(args.sync.is_some())
        .tconcat_index(args.tconcat_index.map(index_unit))
        .on_division_by_zero(args.on_division_by_zero.into())
}

/// The watchers that `--watch` names; the flag takes no other words.
pub(super) fn watchers(words: &[String]) -> Watchers {
    Watchers::named(words.iter().map(String::as_str)).unwrap_or_default()
}

/// What watches the launch.
pub(super) fn watch_options(args: &RunArgs) -> WatchOptions {
    WatchOptions {
        watchers: watchers(&args.watch),
        assume_v_chains: args.assume.iter().any(|word| word == "v-chains"),
        max_reports: args.max_reports,
    }
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

pub(super) fn inputs(
    list: &[Assignment],
    ranks: u32,
    signature: &Signature,
) -> Result<Vec<Input>, DataError> {
    let mut given = Vec::new();
    for assignment in list {
        let (argument, rank) = place(signature, &assignment.arg, ranks)?;
        if given.iter().any(|known: &Input| (known.argument, known.rank) == (argument, rank)) {
            return Err(DataError::misuse(format!("argument `{}` is given twice", assignment.arg)));
        }
        let source = Source::parse(&assignment.value, &Disk);
        let source = source.map_err(|error| located(&assignment.arg, error).of_argument(argument))?;
        given.push(Input { argument, rank, given: Given::Source(source) });
    }
    Ok(given)
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

/// An argument of a rank.
pub(super) type RankArgument = (usize, u32);

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
fn expectations(args: &RunArgs, signature: &Signature) -> Result<Vec<(RankArgument, Array)>, DataError> {
    let files = assignments(&args.expect, signature, args.ranks)?;
    files
        .into_iter()
        .map(|(at, path)| Ok((at, read_array(&path.to_string_lossy(), element_of(signature, at.0)?, &Disk)?)))
        .collect()
}

/// Results of a launch: of the last one, if it is repeated.
struct Launched {
    outcome: Outcome,
    watched: Watched,
    log: Log,
    /// Nanoseconds of each launch, in ascending order.
    times: Vec<u128>,
}

fn launch(
    args: &RunArgs,
    program: &Program,
    (arguments, dumps): (Arguments, &[Dump]),
    options: &Options,
    kept: Option<&[Vec<Value>]>,
) -> Result<Launched, Failure> {
    let blocks = u64::from(options.blocks).saturating_mul(arguments.ranks.len() as u64);
    let control = Arc::new(Control::default());
    let options = options.clone().control(Some(Arc::clone(&control)));
    let mut ranks = Some(arguments.ranks);
    let once = |ranks| {
        let mut watch = Watch::new(program, &watch_options(args), &options);
        let mut dumper = Dumper::new(dumps);
        let mut recorder = args.log.is_some().then(Recorder::of_log);
        let mut observers: Vec<&mut dyn Observer> = vec![&mut watch, &mut dumper];
        observers.extend(recorder.as_mut().map(|recorder| recorder as &mut dyn Observer));
        let start = Instant::now();
        let launched = program.launch_ranks(ranks, &options, &mut observers);
        let time = start.elapsed().as_nanos();
        let (outcome, watched) = watch.result(launched)?;
        let log = recorder.map(Recorder::into_log).unwrap_or_default();
        Ok::<_, Failure>((Launched { outcome, watched, log, times: Vec::new() }, time))
    };
    let launches = || {
        let (mut times, mut last) = (Vec::new(), None);
        for _ in 0..args.repeat.max(1) {
            let ranks = ranks.take().or_else(|| kept.map(<[_]>::to_vec)).unwrap_or_default();
            let (launched, time) = once(ranks)?;
            times.push(time);
            last = Some(launched);
        }
        times.sort_unstable();
        Ok::<_, Failure>((last, times))
    };
    let progress = Progress::new(blocks.saturating_mul(args.repeat.into()) as usize, "blocks");
    let (last, times) = progress.follow(move || control.ended_blocks(), launches)?;
    let last: Option<Launched> = last;
    Ok(Launched { times, ..last.expect("a program is launched once at least") })
}

/// The argument and rank of each buffer, in the order of a launch's results.
pub(super) fn owners(ranks: &[Vec<Value>]) -> Vec<RankArgument> {
    let of_rank = |(rank, values): (usize, &Vec<Value>)| {
        let buffers = values.iter().enumerate().filter(|(_, value)| matches!(value, Value::Buffer { .. }));
        buffers.map(|(at, _)| (at, rank as u32)).collect::<Vec<_>>()
    };
    ranks.iter().enumerate().flat_map(of_rank).collect()
}

pub(super) fn results(
    signature: &Signature,
    owners: &[RankArgument],
    buffers: Vec<BufferState>,
) -> Result<Vec<ArgumentResult>, DataError> {
    let several = owners.iter().any(|(_, rank)| *rank > 0);
    let result = |((argument, rank), buffer): (&RankArgument, BufferState)| {
        let (argument, rank) = (*argument, *rank);
        let array = to_array(element_of(signature, argument)?, buffer.bytes, buffer.shape)?;
        let mut name = signature.arguments[argument].name.clone();
        if several {
            name.push_str(&format!("@{rank}"));
        }
        Ok(ArgumentResult { name, argument, rank, array, written: buffer.written })
    };
    owners.iter().zip(buffers).map(result).collect()
}

pub(super) fn find(results: &[ArgumentResult], at: RankArgument) -> Option<&ArgumentResult> {
    results.iter().find(|result| (result.argument, result.rank) == at)
}

/// Compares results with the expected arrays.
fn compare_all(
    args: &RunArgs,
    results: &[ArgumentResult],
    expected: Vec<(RankArgument, Array)>,
    again: Option<&Again<'_>>,
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
        .filter_map(|(at, path)| find(results, *at).map(|result| Output::npy(path, &result.array)))
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
