//! Launches of small programs, shared by tests of observers.

use pto::isa::Profile;
use pto::sim::{ArgumentKind, Options, Outcome, Program, Signature, Value, measure};
use std::path::Path;

pub(crate) fn program(text: &str, profile: Option<Profile>) -> Program {
    let parsed = pto::parse(text).unwrap_or_else(|findings| panic!("{findings:#?}"));
    let checked = pto::check(parsed.module, profile).unwrap_or_else(|findings| panic!("{findings:#?}"));
    Program::decode(&checked, None).unwrap_or_else(|findings| panic!("{findings:#?}"))
}

/// The text of a program in `tests`, by its folder and name.
pub(crate) fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(name);
    std::fs::read_to_string(path).expect("a program")
}

/// Runs a program on floats 1, 2, ...
pub(crate) fn run_text(text: &str, profile: Option<Profile>, options: &Options) -> Outcome {
    let program = program(text, profile);
    let signature = Signature::of(program.module(), program.entry()).expect("arguments");
    let values = |sizes: &[Option<u64>]| -> Vec<Value> {
        let one = |(index, argument): (usize, &pto::sim::Argument)| match argument.kind {
            ArgumentKind::Buffer(_) => {
                // At least 64 bytes, for accesses outside views.
                let bytes = sizes.get(index).copied().flatten().unwrap_or(0).max(64) as usize;
                let floats = (0..bytes / 4).flat_map(|at| (at as f32 + 1.0).to_le_bytes());
                Value::buffer(floats.collect())
            }
            ArgumentKind::Scalar(_) => Value::Scalar(0),
            ArgumentKind::Launch => Value::Launch,
        };
        signature.arguments.iter().enumerate().map(one).collect()
    };
    let sizes = measure(&program, values(&[]), options).expect("sizes");
    program.launch(values(&sizes), options).unwrap_or_else(|findings| panic!("{findings:#?}"))
}

/// Rules and notes of the findings.
pub(crate) fn found(outcome: &Outcome) -> Vec<(String, String)> {
    let errors = outcome.findings.iter().filter(|finding| finding.severity == pto::diag::Severity::Error);
    errors.map(|finding| (finding.rule.to_string(), finding.notes.join("; "))).collect()
}

/// Rules of the findings.
pub(crate) fn rules(outcome: &Outcome) -> Vec<String> {
    found(outcome).into_iter().map(|(rule, _)| rule).collect()
}
