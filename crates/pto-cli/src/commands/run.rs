//! `pto run`.

use super::examined::Seen;
use super::launch::{Arguments, Failure, Given, Input, gather, located, place, to_array};
use super::unnoticed::{is_found, unnoticed};
use super::{Status, Text, check_text, print_diagnostics, print_out, read_text, target};
use crate::args::{Assignment, Format, RunArgs, ScheduleArg, TconcatIndex};
use crate::array::Array;
use crate::compare::{Comparison, Tolerance, compare};
use crate::error::DataError;
use crate::npy;
use crate::output::{Output, follow, write_all};
use crate::render::{self, SourceText};
use crate::source::Source;
use pto::Program;
use pto::diag::{Diagnostic, Severity};
use pto::isa::Element;
use pto::sim::{
    ArgumentKind, BufferState, DEFAULT_MAX_STEPS, Dump, IndexUnit, Options, Outcome, Schedule, Signature,
    Value, Watched,
};
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The contents of an argument after the run.
pub(super) struct ArgumentResult {
    pub(super) name: String,
    argument: usize,
    rank: u32,
    pub(super) array: Array,
    pub(super) written: bool,
}

/// A comparison with an expectation.
struct Expectation {
    name: String,
    comparison: Comparison,
    writer: Option<String>,
}

pub(super) fn run(args: &RunArgs) -> Result<Status, DataError> {
    if let Some(folder) = &args.all {
        return super::sweep::run(args, folder);
    }
    // Without `--all` the flags require a file.
    let text = read_text(args.file.as_deref().unwrap_or(Path::new("-")))?;
    match run_text(args, &text) {
        Ok(status) => Ok(status),
        Err(Failure::Data(error)) => Err(error),
        Err(Failure::Program(findings)) => {
            print_findings(args, &findings, &text);
            Ok(Status::Wrong)
        }
    }
}

/// Prints the findings that prevent a result, in the format of `--format`.
fn print_findings(args: &RunArgs, findings: &[Diagnostic], text: &Text) {
    let source = SourceText::new(&text.name, &text.text);
    match args.format() {
        Format::Text => print_diagnostics(findings, text),
        Format::Json => {
            print_out(&format!("{:#}\n", json!({ "diagnostics": render::to_json(findings, &source) })));
        }
        Format::Sarif => print_out(&format!("{:#}\n", render::to_sarif(&[(&source, findings)]))),
    }
}

fn run_text(args: &RunArgs, text: &Text) -> Result<Status, Failure> {
    let (checked, warnings) = check_text(&text.text, target(args.profile.target), args.profile.strict)?;
    let program = Program::decode(&checked, args.entry.as_deref())?;
    let options = options(args).dumps(dumps(args, text)?);
    if args.log.is_some() && options.schedule != Schedule::Program {
        let error =
            DataError::misuse("--log lists instructions in program order, so `--schedule` must be `program`");
        return Err(error.into());
    }
    let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
    let given = inputs(&args.inputs, args.ranks, &signature)?;
    let outputs = assignments(&args.outputs, &signature, args.ranks)?;
    let expected = expectations(args, &signature)?;
    check_files_differ(args, &given, &outputs)?;
    let arguments = gather(&program, &given, args.seed, args.ranks, &options)?;
    let options = options.blank(blank(&given, &arguments));
    let kept = (args.repeat > 1 || !expected.is_empty()).then(|| arguments.ranks.clone());
    let owners = owners(&arguments.ranks);
    let (outcome, times) = launch(&program, arguments, &options, kept.as_deref(), args.repeat)?;
    let printed = outcome.printed.clone();
    let mut diagnostics = warnings;
    diagnostics.retain(|lint| !is_found(lint, &outcome.findings));
    diagnostics.extend(outcome.warnings.iter().cloned());
    diagnostics.extend(outcome.findings.iter().cloned());
    let found = outcome.findings.iter().any(|finding| finding.severity == Severity::Error);
    let seen = watched(&args.watch).any().then(|| Seen::of(&program, &outcome));
    if let Some(path) = &args.log {
        super::log::write(outcome.log, text, path)?;
    }
    let results = results(&signature, &owners, outcome.buffers)?;
    let saved = outputs.iter().map(|(at, _)| (*at, "-o"));
    let wanted: Vec<_> = saved.chain(expected.iter().map(|(at, _)| (*at, "--expect"))).collect();
    let unnoticed = unnoticed(&program, text, &given, &results, &wanted);
    let judged = judge(args, &results, &expected, || (&program, &options, kept.clone(), text))?;
    write_outputs(&outputs, &results)?;
    eprint!("{unnoticed}");
    let wrong = judged.iter().any(|expectation| !expectation.comparison.passed());
    match args.format() {
        Format::Json => print_json(text, &diagnostics, (&results, seen.as_ref()), &judged, &times, &printed),
        Format::Sarif => print_findings(args, &diagnostics, text),
        Format::Text => {
            print_diagnostics(&diagnostics, text);
            if let Some(seen) = seen.filter(|_| !found) {
                eprint!("{}", seen.line());
            }
            print_text(args, &results, &judged, &times, &printed);
        }
    }
    Ok(if wrong || found { Status::Wrong } else { Status::Fine })
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
        .watched(watched(&args.watch).log(args.log.is_some()))
        .schedule(schedule(args.schedule))
        .seed(args.schedule_seed.unwrap_or(args.seed))
        .sync_inserted(args.sync.is_some())
        .assume_v_chains(args.assume.iter().any(|word| word == "v-chains"))
        .max_reports(args.max_reports)
        .tconcat_index(args.tconcat_index.map(index_unit))
        .on_division_by_zero(args.on_division_by_zero.into())
}

/// The watchers that `--watch` names.
pub(super) fn watched(words: &[String]) -> Watched {
    let asked = |what: &str| words.iter().any(|word| word == what || word == "all");
    Watched::NONE.race(asked("race")).sync(asked("sync")).init(asked("init")).mem(asked("mem"))
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
        let source = Source::parse(&assignment.value);
        let source = source.map_err(|error| located(&assignment.arg, error))?;
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
        Given::Source(Source::Npy(path) | Source::Raw(path)) => Some(path.as_path()),
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
    files.into_iter().map(|(at, path)| Ok((at, npy::read(&path, element_of(signature, at.0)?)?))).collect()
}

fn launch(
    program: &Program,
    arguments: Arguments,
    options: &Options,
    kept: Option<&[Vec<Value>]>,
    repeat: u32,
) -> Result<(Outcome, Vec<u128>), Failure> {
    let mut times = Vec::new();
    let mut ranks = Some(arguments.ranks);
    let mut last = Outcome::default();
    for _ in 0..repeat {
        let ranks = ranks.take().or_else(|| kept.map(<[_]>::to_vec)).unwrap_or_default();
        let start = Instant::now();
        last = program.launch_ranks(ranks, options)?;
        times.push(start.elapsed().as_nanos());
    }
    times.sort_unstable();
    Ok((last, times))
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

fn judge<'a>(
    args: &RunArgs,
    results: &[ArgumentResult],
    expected: &[(RankArgument, Array)],
    again: impl Fn() -> (&'a Program, &'a Options, Option<Vec<Vec<Value>>>, &'a Text),
) -> Result<Vec<Expectation>, DataError> {
    let tolerance = Tolerance { atol: args.atol, rtol: args.rtol, ulp: args.ulp, nan_payload_matters: false };
    let mut judged = Vec::new();
    for (at, want) in expected {
        let Some(result) = find(results, *at) else { continue };
        let comparison = compare(&result.array, want, &tolerance)
            .map_err(|error| DataError::new(format!("argument `{}`: {error}", result.name)))?;
        let writer = comparison.first.as_ref().and_then(|first| {
            let (program, options, values, text) = again();
            let buffer = results.iter().position(|known| known.name == result.name)?;
            let byte = first.position as u64 * u64::from(result.array.element().value_bits()) / 8;
            let options = options.clone().trace(Some((buffer, byte))).dumps(Vec::new());
            let writer = program.launch_ranks(values?, &options).ok()?.writer;
            let source = SourceText::new(&text.name, &text.text);
            Some(match writer {
                Some(writer) => {
                    let line = source.position(writer.span.start as usize).line;
                    format!(
                        "written last by `{}` at {}:{line}, block {}",
                        writer.name, text.name, writer.block
                    )
                }
                None => "no tile instruction wrote it".to_owned(),
            })
        });
        judged.push(Expectation { name: result.name.clone(), comparison, writer });
    }
    Ok(judged)
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
    judged: &[Expectation],
    times: &[u128],
    printed: &[String],
) {
    for text in printed {
        print_out(&format!("{text}\n"));
    }
    let silent = args.quiet || !args.outputs.is_empty() || !args.expect.is_empty();
    for result in results.iter().filter(|result| result.written && !silent) {
        print_out(&format!("{} = {}\n", result.name, result.array.describe()));
    }
    for expectation in judged {
        if expectation.comparison.passed() {
            if !args.quiet {
                print_out(&format!("{}: {}\n", expectation.name, expectation.comparison));
            }
            continue;
        }
        print_out(&format!("{}: {}\n", expectation.name, expectation.comparison));
        if let Some(writer) = &expectation.writer {
            print_out(&format!("  the first one was {writer}\n"));
        }
    }
    if args.time
        && let [least, ..] = times
    {
        print_out(&format!(
            "launches {}, min {least} ns, median {} ns\n",
            times.len(),
            times[times.len() / 2]
        ));
    }
}

fn print_json(
    text: &Text,
    diagnostics: &[Diagnostic],
    (results, seen): (&[ArgumentResult], Option<&Seen>),
    judged: &[Expectation],
    times: &[u128],
    printed: &[String],
) {
    let source = SourceText::new(&text.name, &text.text);
    let outputs = results.iter().filter(|result| result.written).map(|result| {
        let array = &result.array;
        let values: Option<Vec<String>> =
            (array.values() <= 4096).then(|| (0..array.values()).map(|at| array.value_text(at)).collect());
        json!({
            "name": result.name,
            "dtype": crate::dtype::word(array.element()),
            "shape": array.shape(),
            "values": values,
        })
    });
    let expectations = judged.iter().map(|expectation| {
        json!({
            "name": expectation.name,
            "passed": expectation.comparison.passed(),
            "mismatches": expectation.comparison.mismatches,
            "total": expectation.comparison.total,
            "report": expectation.comparison.to_string(),
            "writer": expectation.writer,
        })
    });
    let time = times.first().map(|least| {
        json!({ "launches": times.len(), "min_ns": *least as u64, "median_ns": times[times.len() / 2] as u64 })
    });
    let report: Json = json!({
        "diagnostics": render::to_json(diagnostics, &source),
        "outputs": outputs.collect::<Vec<_>>(),
        "expect": expectations.collect::<Vec<_>>(),
        "time": time,
        "printed": printed,
        "watched": seen.map(Seen::to_json),
    });
    print_out(&format!("{report:#}\n"));
}
