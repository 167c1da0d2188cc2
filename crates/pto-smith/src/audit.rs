//! Oracle for effects: instructions read, write and destroy only bytes that they declare.

use crate::Rng;
use crate::program::{program, sentence};
use crate::same_bits::inputs;
use pto::Profile;
use pto::sim::{Audit, Options, Signature};

/// Launches a program on random inputs and executes each instruction several times: with all bytes changed that it does
/// not declare to read, and with single bytes changed that it does. A run that an input stops, such as a division by
/// zero, is audited up to that point.
///
/// # Errors
/// If the program is not legal, or an effect is wrong: the instruction and the byte.
pub fn audit(text: &str, profile: Option<Profile>, rng: &mut Rng) -> Result<Audit, String> {
    let program = program(text, profile)?;
    let signature = Signature::of(program.module(), program.entry())?;
    let values = inputs(&program, &signature, rng).map_err(sentence)?;
    let options = Options::default().audit(Some(rng.bits()));
    let Ok(outcome) = program.launch(values, &options, &mut []) else { return Ok(Audit::default()) };
    match outcome.audit.violations.first() {
        Some(violation) => Err(violation.clone()),
        None => Ok(outcome.audit),
    }
}
