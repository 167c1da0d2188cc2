//! The launch of a case, and the comparison of its outputs.

use crate::case::{Case, CaseArg, Role};
use crate::commands::expectation::{Expectation, LastWrite};
use crate::commands::{check_text, read_text};
use crate::files::Disk;
use crate::judged::Judged;
use crate::settings::Settings;
use pto::data::{Array, DataError, Failure, Given, Input, Tolerance, npy, shape_text, to_array};
use pto::isa::Element;
use pto::launch::{Report, Spec};
use pto::{Profile, Program};
use std::path::Path;

/// Reads and decodes a program. Its text goes to `judged`.
pub(super) fn load(
    path: &Path,
    profile: Option<Profile>,
    entry: Option<&str>,
    judged: &mut Judged,
) -> Result<Program, Failure> {
    let text = read_text(path)?;
    (judged.file, judged.text) = (text.name, text.text);
    let (checked, _) = check_text(&judged.text, &Settings::of_target(profile))?;
    Ok(Program::decode(&checked, entry)?)
}

/// Runs a case. Returns the text of the first argument that differs from its expectation, if one does; its finding is
/// in `judged`.
pub(super) fn run(case: &Case, limits: &Spec, judged: &mut Judged) -> Result<Option<String>, Failure> {
    let program = load(&case.program, case.profile, case.entry.as_deref(), judged)?;
    let spec = case.spec(limits);
    launch(&program, &spec, &inputs(case)?, expected_of(case), &case.tolerance, judged)
}

/// The expected arrays of a case, by number of the argument.
pub(super) fn expected_of(case: &Case) -> impl Fn(usize, Element) -> Option<Result<Array, DataError>> {
    |at, element| {
        let argument = case.args.get(at)?;
        Some(read(argument, expectation(argument)?, element))
    }
}

/// Launches a program and compares its buffers with the arrays that `expected` returns for an argument number.
pub(super) fn launch(
    program: &Program,
    spec: &Spec,
    inputs: &[Input],
    expected: impl Fn(usize, Element) -> Option<Result<Array, DataError>>,
    tolerance: &Tolerance,
    judged: &mut Judged,
) -> Result<Option<String>, Failure> {
    let launch = spec.prepare_with(program, inputs, &Disk)?;
    let report = launch.clone().run(&mut [])?;
    compare(report, expected, tolerance, LastWrite::Again(&launch), judged)
}

/// Compares the buffers of a launch with the arrays that `expected` returns. Returns the text of the first one that
/// differs.
pub(super) fn compare(
    mut report: Report<'_>,
    expected: impl Fn(usize, Element) -> Option<Result<Array, DataError>>,
    tolerance: &Tolerance,
    last: LastWrite<'_>,
    judged: &mut Judged,
) -> Result<Option<String>, Failure> {
    for (number, result) in report.results()?.into_iter().enumerate() {
        let element = result.array.element();
        let Some(want) = expected(result.argument, element).transpose()? else { continue };
        let shape = want.shape().iter().map(|extent| *extent as u64).collect();
        let got = to_array(element, result.array.into_bytes(), Some(shape))?;
        let compared = Expectation::of(&result.name, got, want, tolerance, number, last)?;
        if let Some(finding) = compared.finding() {
            let text = compared.text(&judged.source());
            judged.findings.push(finding);
            return Ok(Some(text));
        }
    }
    Ok(None)
}

/// Reads a file of a case and checks its shape.
fn read(argument: &CaseArg, file: &Path, element: Element) -> Result<Array, DataError> {
    let array = npy::read(file, element, &Disk)?;
    if array.shape() != argument.shape {
        let (has, said) = (shape_text(array.shape()), shape_text(&argument.shape));
        let message = format!(
            "{}: its shape is {has}, but `{}` has the shape {said} in case.json",
            file.display(),
            argument.name
        );
        return Err(
            DataError::new(message).with_help("correct `shape` in case.json, or record the file again")
        );
    }
    Ok(array)
}

fn expectation(argument: &CaseArg) -> Option<&Path> {
    match &argument.role {
        Role::Out(expect) | Role::InOut { expect, .. } => Some(expect),
        Role::In(_) | Role::Scalar(_) | Role::Launch => None,
    }
}

/// The inputs of a case for a launch.
pub(in crate::commands) fn inputs(case: &Case) -> Result<Vec<Input>, DataError> {
    let mut inputs = Vec::new();
    for (index, argument) in case.args.iter().enumerate() {
        let element = argument.dtype.storage();
        let given = match &argument.role {
            Role::In(file) | Role::InOut { file, .. } => Given::Array(read(argument, file, element)?),
            Role::Scalar(bits) => Given::Bits(*bits),
            Role::Launch => continue,
            Role::Out(expect) => {
                let shape = read(argument, expect, element)?.shape().to_vec();
                Given::Array(Array::zeros(element, shape)?)
            }
        };
        inputs.push(Input { argument: index, rank: None, given });
    }
    Ok(inputs)
}
