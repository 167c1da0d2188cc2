//! The oracle for effects: what an instruction declares to touch is what it touches.

use crate::Rng;
use crate::same_bits::inputs;
use pto::Profile;
use pto::sim::{Audit, Options, Program, Signature};

/// Launches a program on random inputs, each of its instructions several times: with all bytes changed that it does not
/// declare to read, and with single bytes changed that it does. A run that a value stops, such as a division by zero,
/// has been audited up to there.
///
/// # Errors
/// If the program is not legal, or an effect does not hold: the instruction and the byte.
pub fn audit(text: &str, profile: Option<Profile>, rng: &mut Rng) -> Result<Audit, String> {
    let sentence = |findings: Vec<pto::diag::Diagnostic>| {
        let lines = findings.iter().map(|finding| format!("{}: {}", finding.rule, finding.message));
        lines.collect::<Vec<_>>().join("; ")
    };
    let parsed = pto::parse(text).map_err(sentence)?;
    let checked = pto::check(parsed.module, profile).map_err(sentence)?;
    let program = Program::decode(&checked, None).map_err(sentence)?;
    let signature = Signature::of(program.module(), program.entry())?;
    let values = inputs(&program, &signature, rng).map_err(sentence)?;
    let options = Options::default().audit(Some(rng.bits()));
    let Ok(outcome) = program.launch(values, &options) else { return Ok(Audit::default()) };
    match outcome.audit.violations.first() {
        Some(violation) => Err(violation.clone()),
        None => Ok(outcome.audit),
    }
}
