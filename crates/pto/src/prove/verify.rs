//! Whether a program is equivalent to another one, of which a tool says that it is the lowered form.

use super::compare::Comparison;
use super::situations::situations;
use super::verdict::{Counterexample, Outcome, Property, Verification, VerifyOptions};
use crate::data::{DataError, Failure, Files, dtype};
use pto_isa::diag::Diagnostic;
use pto_machine::sim::{ArgumentKind, Program, Signature};

/// Tile instructions after which no further situation is tried.
const ENOUGH_INSTRUCTIONS: u64 = 200_000;

/// Verifies that `lowered` computes what `source` computes. Both are programs that a check has passed; arguments
/// correspond by position, and buffers are as large as `source` needs.
///
/// For each situation the first program runs in program order. Where results differ, it runs again with unwritten memory as
/// ones: bytes that are then others are undefined, and not compared. The second program runs with unwritten memory as ones, once with
/// watchers, and then under each schedule.
///
/// # Errors
/// Inputs that do not fit the first program.
pub fn verify(
    source: &Program,
    lowered: &Program,
    options: &VerifyOptions,
    files: &dyn Files,
) -> Result<Verification, DataError> {
    let signature = Signature::of(source.module(), source.entry()).map_err(DataError::new)?;
    let other = Signature::of(lowered.module(), lowered.entry()).map_err(DataError::new)?;
    let mut found =
        Verification { properties: Vec::new(), compared: 0, skipped: 0, runs: 0, lints: Vec::new() };
    if let Some(message) = other_signature(&signature, &other) {
        let counterexample = Counterexample { message, ..Counterexample::default() };
        found.properties.push((Property::Signature, Outcome::Fails(Box::new(counterexample))));
        let unknown = || Outcome::Unknown("the programs take different arguments".to_owned());
        found.properties.extend([Property::Silent, Property::Bits].map(|property| (property, unknown())));
        return Ok(found);
    }
    found.properties.push((Property::Signature, Outcome::Holds));
    let (mut silent, mut bits) = (None, None);
    let mut reason = None;
    let mut spent = 0;
    for situation in situations(source, &options.inputs, options.blocks) {
        if spent > ENOUGH_INSTRUCTIONS {
            break;
        }
        let compare = Comparison { source, lowered, signature: &signature, options, situation: &situation };
        match compare.run(files) {
            Ok(result) => {
                found.compared += 1;
                spent += result.instructions;
                found.runs += result.runs;
                found.lints = match found.compared {
                    1 => result.lints,
                    _ => in_both(std::mem::take(&mut found.lints), &result.lints),
                };
                silent = silent.or(result.silent);
                bits = bits.or(result.bits);
            }
            Err(Failure::Data(error))
                if !options.inputs.is_empty() && found.compared + found.skipped == 0 =>
            {
                return Err(error);
            }
            Err(failure) => {
                found.skipped += 1;
                reason = reason.or(Some(sentence(&failure)));
            }
        }
        if silent.is_some() && bits.is_some() {
            break;
        }
    }
    for (property, fails) in [(Property::Silent, silent), (Property::Bits, bits)] {
        let outcome = match fails {
            Some(counterexample) => Outcome::Fails(Box::new(counterexample)),
            None if found.compared > 0 => Outcome::Holds,
            None => {
                let why = reason.clone().unwrap_or_default();
                Outcome::Unknown(format!("the first program does not run with any generated input: {why}"))
            }
        };
        found.properties.push((property, outcome));
    }
    Ok(found)
}

/// The lints of one run that another one has, too: synchronization that one of them needs is not superfluous.
fn in_both(mut one: Vec<Diagnostic>, other: &[Diagnostic]) -> Vec<Diagnostic> {
    one.retain(|lint| other.iter().any(|it| it.rule == lint.rule && it.primary == lint.primary));
    one
}

fn sentence(failure: &Failure) -> String {
    match failure {
        Failure::Data(error) => error.to_string(),
        Failure::Program(findings) => {
            findings.first().map_or(String::new(), |finding| finding.message.clone())
        }
    }
}

/// Why two signatures differ.
fn other_signature(source: &Signature, lowered: &Signature) -> Option<String> {
    let (a, b) = (&source.arguments, &lowered.arguments);
    if a.len() != b.len() {
        return Some(format!(
            "`@{}` takes {} arguments, `@{}` {}",
            source.entry,
            a.len(),
            lowered.entry,
            b.len()
        ));
    }
    let differs = a.iter().zip(b).position(|(a, b)| a.kind != b.kind)?;
    let word = |kind: ArgumentKind| match kind {
        ArgumentKind::Buffer(element) => format!("a buffer of {}", dtype::word(element)),
        ArgumentKind::Scalar(scalar) => format!("a scalar of {}", scalar.word()),
        ArgumentKind::Launch => "filled in by the launch".to_owned(),
    };
    let name = &a[differs].name;
    Some(format!(
        "argument {differs} (`{name}`) is {} here, and {} there",
        word(a[differs].kind),
        word(b[differs].kind)
    ))
}
