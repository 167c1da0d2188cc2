//! Programs from texts, and their launches.

use pto::diag::{Diagnostic, Severity};
use pto::ir::Module;
use pto::isa::Profile;
use pto::log::{Log, Recorder};
use pto::observe::{WatchOptions, watch};
use pto::sim::{Argument, ArgumentKind, Options, Outcome, Program, Signature, Value, measure};
use pto::{Checked, check, parse};
use std::path::Path;

/// The text of a program in `tests`, by its folder and name.
pub(crate) fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The module of a well-formed text.
#[track_caller]
pub(crate) fn module(text: &str) -> Module {
    parse(text).unwrap_or_else(|findings| panic!("{text}\n{findings:#?}")).module
}

/// A legal program, checked for a profile.
#[track_caller]
pub(crate) fn checked(text: &str, profile: Option<Profile>) -> Checked {
    check(module(text), profile).unwrap_or_else(|findings| panic!("{text}\n{findings:#?}"))
}

/// The kernel of a legal program.
#[track_caller]
pub(crate) fn program(text: &str, profile: Option<Profile>) -> Program {
    let checked = checked(text, profile);
    Program::decode(&checked, None).unwrap_or_else(|findings| panic!("{text}\n{findings:#?}"))
}

/// Everything that the check of a module finds.
pub(crate) fn findings(module: Module, profile: Option<Profile>) -> Vec<Diagnostic> {
    check(module, profile).map_or_else(|findings| findings, |checked| checked.warnings().to_vec())
}

/// The errors of an illegal text.
pub(crate) fn errors(text: &str) -> Vec<Diagnostic> {
    parse(text).and_then(|parsed| check(parsed.module, None)).err().unwrap_or_default()
}

/// Arguments for a launch, which `value` gives: each with 0 bytes, and a buffer again with the number of bytes that the program
/// accesses.
///
/// # Errors
/// Findings that stop the run that measures sizes.
pub(crate) fn arguments(
    program: &Program,
    options: &Options,
    mut value: impl FnMut(&Argument, usize) -> Value,
) -> Result<Vec<Value>, Vec<Diagnostic>> {
    let signature = Signature::of(program.module(), program.entry()).expect("arguments");
    let one = |argument: &Argument| match argument.kind {
        ArgumentKind::Launch => Value::Launch,
        _ => value(argument, 0),
    };
    let mut values: Vec<Value> = signature.arguments.iter().map(one).collect();
    let sizes = measure(program, values.clone(), options)?;
    for ((slot, argument), size) in values.iter_mut().zip(&signature.arguments).zip(sizes) {
        if matches!(argument.kind, ArgumentKind::Buffer(_)) {
            *slot = value(argument, size.unwrap_or(0) as usize);
        }
    }
    Ok(values)
}

/// Arguments of floats 1, 2, ...
fn counting(program: &Program, options: &Options) -> Vec<Value> {
    let value = |argument: &Argument, bytes: usize| match argument.kind {
        // At least 64 bytes, for accesses outside views.
        ArgumentKind::Buffer(_) => counted(bytes.max(64) / 4),
        _ => Value::Scalar(0),
    };
    arguments(program, options, value).expect("sizes")
}

/// Runs a program on floats 1, 2, ...
pub(crate) fn run_text(text: &str, profile: Option<Profile>, options: &Options) -> Outcome {
    let program = program(text, profile);
    let values = counting(&program, options);
    program.launch(values, options, &mut []).unwrap_or_else(|findings| panic!("{findings:#?}"))
}

/// Findings of watchers in a run of a program on floats 1, 2, ...
pub(crate) fn watch_text(
    text: &str,
    profile: Option<Profile>,
    watchers: impl Into<WatchOptions>,
) -> Vec<Diagnostic> {
    let (program, options) = (program(text, profile), Options::default());
    let values = counting(&program, &options);
    let watched = watch(&program, vec![values], &options, &watchers.into());
    watched.unwrap_or_else(|findings| panic!("{findings:#?}")).1.findings
}

/// The log of a run of a program on floats 1, 2, ...
pub(crate) fn log_text(text: &str) -> Log {
    let (program, options, mut recorder) = (program(text, None), Options::default(), Recorder::of_log());
    let values = counting(&program, &options);
    program.launch(values, &options, &mut [&mut recorder]).unwrap_or_else(|findings| panic!("{findings:#?}"));
    recorder.into_log()
}

/// Runs a program by its fast paths and by its formulas, and returns a buffer, which must be equal.
#[track_caller]
pub(crate) fn both_ways(program: &Program, values: &[Value], buffer: usize) -> Vec<u8> {
    let [fast, formula] = [false, true].map(|by_formula| {
        let outcome = program.launch(values.to_vec(), &Options::default().by_formula(by_formula), &mut []);
        let mut outcome = outcome.unwrap_or_else(|findings| panic!("{findings:#?}"));
        outcome.buffers.swap_remove(buffer).bytes.into_vec()
    });
    let differs = fast.iter().zip(&formula).position(|(a, b)| a != b);
    assert_eq!(differs, None, "the fast path differs from the formula at this byte");
    fast
}

/// A buffer of floats.
pub(crate) fn buffer(values: impl IntoIterator<Item = f32>) -> Value {
    Value::buffer(values.into_iter().flat_map(f32::to_le_bytes).collect())
}

/// A buffer of floats 1, 2, ...
pub(crate) fn counted(count: usize) -> Value {
    buffer((1..=count).map(|number| number as f32))
}

/// The unit matrix.
pub(crate) fn unit(size: usize) -> Value {
    buffer((0..size * size).map(|at| f32::from(at / size == at % size)))
}

/// Bytes as floats.
pub(crate) fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|word| f32::from_le_bytes(*word)).collect()
}

/// Bytes as 32-bit integers.
pub(crate) fn words(bytes: &[u8]) -> Vec<i32> {
    bytes.as_chunks().0.iter().map(|word| i32::from_le_bytes(*word)).collect()
}

/// Rules and notes of the errors.
pub(crate) fn found(findings: &[Diagnostic]) -> Vec<(String, String)> {
    let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| (finding.rule.to_string(), finding.notes.join("; "))).collect()
}

/// Rules of the errors.
pub(crate) fn rules(findings: &[Diagnostic]) -> Vec<String> {
    found(findings).into_iter().map(|(rule, _)| rule).collect()
}
