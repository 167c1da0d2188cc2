//! Arguments beside a program, for commands that get none: those of its recorded case, or of the flags after `// run:` in its text.

use super::Text;
use super::sweep::{Said, in_comments};
use crate::args::LaunchArgs;
use crate::printer::print_err;
use pto::analysis::Interface;
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
    note(program, if said.is_case { "case.json" } else { COMMENT });
    let blocks = if spec.blocks > 1 { spec.blocks } else { launch.spec.blocks };
    Ok(Spec { entry: spec.entry.or(launch.spec.entry), blocks, ..launch.spec })
}

/// The flags of the launch of a kernel in C++: if they give no argument, those after `// run:` in its text; where they are from is printed.
///
/// # Errors
/// A comment that has no flags.
pub(super) fn completed_flags(kernel: &Text, flags: &LaunchArgs) -> Result<LaunchArgs, DataError> {
    let said = if flags.inputs.is_empty() { in_comments(&kernel.text)?.1 } else { None };
    let Some(said) = said.map(|said| said.launch) else { return Ok(flags.clone()) };
    if flags.entry.is_some() && said.entry.is_some() && flags.entry != said.entry {
        return Ok(flags.clone());
    }
    note(kernel, COMMENT);
    let blocks = if flags.blocks > 1 { flags.blocks } else { said.blocks };
    Ok(LaunchArgs { entry: said.entry.or_else(|| flags.entry.clone()), blocks, ..said })
}

/// The place of arguments in the text of a program.
const COMMENT: &str = "its `// run:` comment";

fn note(program: &Text, place: &str) {
    print_err!("{}: arguments from {place}; -i gives others", program.name);
}

/// The names of the buffers that a program only reads and that no input names: they are zeros.
pub(super) fn not_given(interface: Interface, inputs: &[Input]) -> Vec<String> {
    let parameters = interface.parameters.into_iter().enumerate();
    let is_given = |at: usize| inputs.iter().any(|input| input.argument == at);
    parameters
        .filter(|(at, one)| one.reads && !one.writes && !is_given(*at))
        .map(|(_, one)| one.name)
        .collect()
}
