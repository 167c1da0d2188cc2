//! Arguments beside a program, for commands that get none: those of its recorded case, or of the flags after `// run:` in its text.

use super::Text;
use super::sweep::Said;
use crate::printer::print_err;
use pto::Program;
use pto::data::{DataError, Input};
use pto::launch::{Missing, Spec};
use std::path::Path;

/// The launch with the arguments beside the program, if it has none; where they are from is printed.
///
/// # Errors
/// A case that cannot be read, or a comment that has no flags.
pub(super) fn completed(program: &Text, spec: Spec) -> Result<Spec, DataError> {
    if !spec.inputs.is_empty() || spec.missing == Missing::Guessed {
        return Ok(spec);
    }
    let mut said = Said::of(Path::new(&program.name), &program.text, &[], &spec)?;
    let Some(launch) = said.launches.pop().filter(|launch| !launch.is_guessed()) else { return Ok(spec) };
    if spec.entry.is_some() && launch.spec.entry.is_some() && launch.spec.entry != spec.entry {
        return Ok(spec);
    }
    let place = if said.is_case { "case.json" } else { "its `// run:` comment" };
    print_err!("{}: arguments from {place}; -i gives others", program.name);
    Ok(Spec { entry: spec.entry.or(launch.spec.entry), ..launch.spec })
}

/// The names of the buffers that a program only reads and that no input names: they are zeros.
pub(super) fn not_given(program: &Program, inputs: &[Input]) -> Vec<String> {
    let parameters = program.interface().parameters.into_iter().enumerate();
    let is_given = |at: usize| inputs.iter().any(|input| input.argument == at);
    parameters
        .filter(|(at, one)| one.reads && !one.writes && !is_given(*at))
        .map(|(_, one)| one.name)
        .collect()
}
