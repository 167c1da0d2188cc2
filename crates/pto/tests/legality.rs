//! Legality by profile: one test for each decision by a manual, a header or a device, named after the decision.
//!
//! Programs of more than a few lines are in `tests/legality` at the root of the repository.

use pto::diag::Diagnostic;
use pto::isa::Profile::{self, A2A3, A5, Cpu};
use pto::sim::{ArgumentKind, Options, Program, Signature, Value, measure};
use std::path::Path;

mod dual;
mod empty;
mod refused;
mod shapes;
mod types;

/// The text of a program in `tests/legality`.
fn program(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/legality").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
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
    let parsed = match pto::parse(text) {
        Ok(parsed) => parsed,
        Err(findings) => return words(&findings),
    };
    match pto::check(parsed.module, Some(profile)) {
        Ok(checked) => words(checked.warnings()),
        Err(findings) => words(&findings),
    }
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
    let signature = Signature::of(program.module(), program.entry()).expect("arguments");
    let values = |sizes: &[Option<u64>]| -> Vec<Value> {
        let mut scalars = scalars.iter();
        let one = |(index, argument): (usize, &pto::sim::Argument)| match argument.kind {
            ArgumentKind::Buffer(_) => {
                let bytes = sizes.get(index).copied().flatten().unwrap_or(0) as usize;
                Value::Buffer {
                    bytes: (0..bytes / 4)
                        .flat_map(|at| (at as f32 + 1.0).to_le_bytes())
                        .collect::<Vec<_>>()
                        .into(),
                }
            }
            ArgumentKind::Scalar(_) => Value::Scalar(scalars.next().copied().unwrap_or(0)),
            ArgumentKind::Launch => Value::Launch,
        };
        signature.arguments.iter().enumerate().map(one).collect()
    };
    let sizes = measure(&program, values(&[]), options).map_err(|findings| words(&findings))?;
    let outcome = program.launch(values(&sizes), options).map_err(|findings| words(&findings))?;
    let floats = |bytes: &[u8]| -> Vec<f32> {
        bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().expect("four bytes"))).collect()
    };
    let buffers = outcome.buffers.iter().map(|buffer| floats(&buffer.bytes)).collect();
    let mut found = words(&outcome.findings);
    found.extend(words(&outcome.warnings));
    Ok((buffers, found))
}

/// No findings.
const NOTHING: [String; 0] = [];
