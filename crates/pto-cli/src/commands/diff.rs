//! `pto diff`: runs two programs on the same inputs, aligns the logs of both runs, and names the first instruction whose
//! values differ.
//!
//! Each program runs once with a log of hashes. Entries that are aligned and have different hashes are candidates. Their
//! contents are captured in further runs, in rounds of bounded size (`values.rs`), until a value differs by more than the
//! tolerance or no candidate is left.

mod outputs;
mod report;
pub(super) mod summary;
mod values;

use super::{Status, Text, beside, check_text, read_text};
use crate::args::DiffArgs;
use crate::args::RuleArgs;
use crate::files::Disk;
use crate::printer::{print_diagnostics, print_either};
use crate::settings::Configured;
use pto::Program;
use pto::data::{DataError, Failure, Tolerance, dtype};
use pto::diag::Diagnostic;
use pto::launch::{Launch, Report};
use pto::log::Recorder;
use pto::log::{Aligned, Core, Log, Step, align};
use pto::sim::{ArgumentKind, Schedule, Signature, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::path::Path;
use summary::Summary;

/// Entries of each run that are compared, which bounds the memory of the logs: some 100 bytes each.
const KEPT: usize = 1 << 20;

/// One of the programs.
struct Subject {
    text: Text,
    program: Program,
    signature: Signature,
}

/// A program, its launch, and the report and log of its first run.
struct Ran<'a> {
    subject: &'a Subject,
    launch: Launch<'a>,
    report: Report<'a>,
    log: Log,
}

/// An error, and the text of the program that it is about.
type Failed<'a> = (Failure, Option<&'a Text>);

pub(super) fn run(args: &DiffArgs) -> Result<Status, DataError> {
    if [&args.first, &args.second].iter().all(|path| path.as_os_str() == "-") {
        return Err(DataError::misuse("only one of the programs can be read from stdin"));
    }
    let configured = Configured::of(&args.profile, &RuleArgs::default())?;
    let mut subjects = Vec::new();
    for path in [&args.first, &args.second] {
        match subject(args, &configured, path, read_text(path)?) {
            Ok(subject) => subjects.push(subject),
            Err((text, failure)) => return fail(failure, Some(&text)),
        }
    }
    let [a, b] = subjects.as_slice() else { return Ok(Status::Wrong) };
    match compare(args, a, b) {
        Ok(status) => Ok(status),
        Err((failure, text)) => fail(failure, text),
    }
}

/// Reports that a program cannot be run.
fn fail(failure: Failure, text: Option<&Text>) -> Result<Status, DataError> {
    match (failure, text) {
        (Failure::Data(error), _) => return Err(error),
        (Failure::Program(findings), Some(text)) => print_diagnostics(&findings, text),
        (Failure::Program(_), None) => {}
    }
    Ok(Status::Wrong)
}

/// Checks and decodes a program.
fn subject(
    args: &DiffArgs,
    configured: &Configured,
    path: &Path,
    text: Text,
) -> Result<Subject, (Text, Failure)> {
    let decoded = || {
        let settings = configured.of_program(path)?;
        let (checked, _) = check_text(&text.text, &settings)?;
        let program = Program::decode(&checked, args.launch.entry.as_deref())?;
        let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
        Ok((program, signature))
    };
    match decoded() {
        Ok((program, signature)) => Ok(Subject { text, program, signature }),
        Err(failure) => Err((text, failure)),
    }
}

/// Checks that both functions take the same arguments.
fn check_signatures(a: &Subject, b: &Subject) -> Result<(), DataError> {
    let list = |subject: &Subject| {
        let words = subject.signature.arguments.iter().map(|argument| {
            let kind = match argument.kind {
                ArgumentKind::Buffer(element) => format!("buffer of {}", dtype::word(element)),
                ArgumentKind::Scalar(ty) => ty.word().to_owned(),
                _ => "property of the launch".to_owned(),
            };
            format!("%{}: {kind}", argument.name)
        });
        words.collect::<Vec<_>>()
    };
    let (first, second) = (list(a), list(b));
    if first == second {
        return Ok(());
    }
    let at = first.iter().zip(&second).take_while(|(a, b)| a == b).count();
    let word =
        |list: &[String]| list.get(at).map_or("no such argument".to_owned(), |word| format!("`{word}`"));
    let message = format!(
        "the functions take different arguments: argument {at} is {} in {}, and {} in {}",
        word(&first),
        a.text.name,
        word(&second),
        b.text.name
    );
    Err(DataError::misuse(message).with_help("choose functions with `--entry`, or make the arguments equal"))
}

fn compare<'a>(args: &DiffArgs, a: &'a Subject, b: &'a Subject) -> Result<Status, Failed<'a>> {
    check_signatures(a, b).map_err(|error| (error.into(), None))?;
    let spec = beside::completed(&a.text, args.spec()).map_err(|error| (error.into(), None))?;
    let inputs = spec.inputs(&a.program, &Disk).map_err(|error| (error.into(), None))?;
    let prepared = |subject: &'a Subject| {
        spec.prepare_with(&subject.program, &inputs, &Disk).map_err(|failure| (failure, Some(&subject.text)))
    };
    let (mut first, mut second) = (prepared(a)?, prepared(b)?);
    make_common(&mut first, &mut second);
    let ran = |subject: &'a Subject, launch| {
        run_logged(subject, launch).map_err(|findings| (findings.into(), Some(&subject.text)))
    };
    let (mut a, mut b) = both(|| ran(a, first), || ran(b, second))?;
    let (summary, candidates) = aligned(&a.log, &b.log, spec.schedule != Schedule::Program);
    let tolerance = args.tolerance.tolerance();
    let tolerance = Tolerance { nan_payload_matters: tolerance.is_exact(), ..tolerance };
    let first = values::first_difference(&a, &b, candidates, &tolerance)?;
    let outputs = outputs::compare(&mut a, &mut b, &tolerance).map_err(|error| (error.into(), None))?;
    let report = report::Report { a: &a, b: &b, summary: &summary, first, outputs, tolerance };
    print_either(args.format.is_json(), || report.of_both(), || report.to_text());
    Ok(if report.differs() { Status::Wrong } else { Status::Fine })
}

/// Gives both runs the same arguments. Where the programs determine buffer sizes, both get the larger size, so that
/// neither program accesses memory outside a buffer.
fn make_common(first: &mut Launch<'_>, second: &mut Launch<'_>) {
    let pairs = first.ranks.iter_mut().flatten().zip(second.ranks.iter().flatten());
    for (first, second) in pairs {
        if let (Value::Buffer { bytes }, Value::Buffer { bytes: other }) = (&*first, second)
            && bytes.len() < other.len()
        {
            *first = second.clone();
        }
    }
    second.ranks.clone_from(&first.ranks);
}

/// Calls both functions at the same time; the error of the first one counts.
fn both<T: Send, E: Send>(
    a: impl FnOnce() -> Result<T, E> + Send,
    b: impl FnOnce() -> Result<T, E> + Send,
) -> Result<(T, T), E> {
    std::thread::scope(|scope| {
        let second = scope.spawn(b);
        let first = a();
        match second.join() {
            Ok(second) => Ok((first?, second?)),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// The first run of a program, with a log.
fn run_logged<'a>(subject: &'a Subject, launch: Launch<'a>) -> Result<Ran<'a>, Vec<Diagnostic>> {
    let mut recorder = Recorder::of_first(KEPT);
    let report = launch.clone().run(&mut [&mut recorder])?;
    let mut log = recorder.into_log();
    super::log::locate(&mut log, &subject.text);
    Ok(Ran { subject, launch, report, log })
}

/// Aligns two logs; returns the pairs of entries that wrote different bytes, in the order of the first log.
///
/// If a log was cut, the partner of an entry near its end may be among the omitted entries. Entries after the last pair
/// are then not a difference.
fn aligned(a: &Log, b: &Log, any_order: bool) -> (Summary, Vec<(u64, u64)>) {
    let (first, second) = (a.streams(), b.streams());
    let cores: BTreeSet<&Core> = first.keys().chain(second.keys()).collect();
    let (mut summary, mut unequal) = (Summary::of_schedule(any_order), Vec::new());
    for core in cores {
        let is_cut = a.left_out() > 0 || b.left_out() > 0;
        let mut alone = Vec::new();
        let Ok(()) = align(stream(a, &first, core), stream(b, &second, core), |aligned| {
            if is_cut && !matches!(aligned, Aligned::Pair { .. }) {
                alone.push(aligned);
                return;
            }
            let seen = alone.drain(..).chain([aligned]);
            unequal.extend(seen.filter_map(|aligned| summary.add(aligned)));
        });
    }
    unequal.sort_unstable();
    (summary, unequal)
}

/// The entries of a core.
fn stream<'l>(
    log: &'l Log,
    streams: &'l BTreeMap<Core, Vec<usize>>,
    core: &Core,
) -> impl Iterator<Item = Result<Step, Infallible>> + use<'l> {
    let numbers = streams.get(core).into_iter().flatten();
    numbers.filter_map(|number| log.get(*number)).map(|entry| Ok(Step::of(&entry)))
}
