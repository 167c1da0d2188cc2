//! Legality by profile: one test for each decision by a manual, a header or a device, named after the decision.
//!
//! Programs of more than a few lines are in `tests/legality` at the root of the repository.

use crate::support::launch::{self, counted};
use pto::diag::Diagnostic;
use pto::isa::Profile::{self, A2A3, A5, Cpu};
use pto::sim::{Argument, ArgumentKind, Options, Program, Value};

mod dual;
mod empty;
mod moves;
mod operands;
mod refused;
mod shapes;
mod types;

/// The text of a program in `tests/legality`.
fn program(name: &str) -> String {
    launch::text(&format!("legality/{name}"))
}

/// Findings as text such as `error: tadd::same-type`, without duplicates.
fn words(findings: &[Diagnostic]) -> Vec<String> {
    let mut words: Vec<_> =
        findings.iter().map(|finding| format!("{}: {}", finding.severity.word(), finding.rule)).collect();
    words.sort();
    words.dedup();
    words
}

/// The findings of parsing and checking a program for a profile.
fn found(text: &str, profile: Profile) -> Vec<String> {
    let findings = pto::parse(text).map(|parsed| launch::findings(parsed.module, Some(profile)));
    words(&findings.unwrap_or_else(|findings| findings))
}

/// A function of the arguments `types`, named `%0`, `%1` and so on, with `body`.
fn function(types: &[&str], body: &str) -> String {
    let arguments: Vec<_> = types.iter().enumerate().map(|(at, ty)| format!("%{at}: {ty}")).collect();
    format!("func.func @f({}) {{\n{body}\n  return\n}}\n", arguments.join(", "))
}

/// A use of an instruction on tiles: the last type is the destination's.
fn using(name: &str, types: &[&str]) -> String {
    let (destination, sources) = types.split_last().expect("a destination");
    let names: Vec<_> = (0..sources.len()).map(|at| format!("%{at}")).collect();
    let (names, sources_text) = (names.join(", "), sources.join(", "));
    let last = sources.len();
    function(types, &format!("  pto.{name} ins({names} : {sources_text}) outs(%{last} : {destination})"))
}

/// A row-major vec tile, wide enough for every element type.
fn vec(element: &str) -> String {
    format!("!pto.tile_buf<vec, 16x64x{element}>")
}

/// The findings on a use of an instruction on vec tiles of one element type.
fn on_type(name: &str, tiles: usize, element: &str, profile: Profile) -> Vec<String> {
    let tile = vec(element);
    found(&using(name, &vec![tile.as_str(); tiles]), profile)
}

/// The buffers after a run, and its findings.
type Ran = (Vec<Vec<f32>>, Vec<String>);

/// Runs a program on numbers 1, 2, ... in its f32 buffers, with `scalars` for its scalar arguments in order.
/// Returns the buffers as f32, and the findings of the run.
fn run(text: &str, profile: Profile, scalars: &[u64], options: &Options) -> Result<Ran, Vec<String>> {
    let parsed = pto::parse(text).map_err(|findings| words(&findings))?;
    let checked = pto::check(parsed.module, Some(profile)).map_err(|findings| words(&findings))?;
    let program = Program::decode(&checked, None).map_err(|findings| words(&findings))?;
    let mut scalars = scalars.iter();
    let value = |argument: &Argument, bytes: usize| match argument.kind {
        ArgumentKind::Buffer(_) => counted(bytes / 4),
        _ => Value::Scalar(scalars.next().copied().unwrap_or(0)),
    };
    let values = launch::arguments(&program, options, value).map_err(|findings| words(&findings))?;
    let outcome = program.launch(values, options, &mut []).map_err(|findings| words(&findings))?;
    let buffers = outcome.buffers.iter().map(|buffer| launch::floats(&buffer.bytes)).collect();
    Ok((buffers, words(&outcome.warnings)))
}

/// No findings.
const NOTHING: [String; 0] = [];
