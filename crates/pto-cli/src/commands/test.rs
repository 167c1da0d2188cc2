//! `pto test`.

use super::launch::{Failure, Given, Input, gather, to_array};
use super::{Status, check_text, print_out, read_text};
use crate::args::TestArgs;
use crate::array::shape_text;
use crate::case::{Case, CaseArg, Role, find};
use crate::compare::compare;
use crate::error::DataError;
use crate::render::{SourceText, to_text};
use crate::{Array, npy};
use pto::Program;
use pto::isa::Element;
use pto::sim::{ArgumentKind, DEFAULT_MAX_STEPS, Options};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// Result of a case, with the reason of a failure.
struct Verdict {
    folder: String,
    family: String,
    op: String,
    failure: Option<String>,
}

pub(super) fn run(args: &TestArgs) -> Result<Status, DataError> {
    let folders = find(&args.paths)?;
    if folders.is_empty() {
        return Err(DataError::misuse(
            "there are no cases: a case is a folder with `case.json` and `kernel.pto`",
        ));
    }
    let mut verdicts = Vec::new();
    for folder in folders {
        let case = Case::read(&folder);
        if let Ok(case) = &case {
            let wanted =
                |list: &[String], word: &str| list.is_empty() || list.iter().any(|entry| entry == word);
            if !wanted(&args.families, &case.family) || !wanted(&args.ops, &case.op) {
                continue;
            }
        }
        verdicts.push(judge(&folder, case, args.max_steps.unwrap_or(DEFAULT_MAX_STEPS)));
    }
    if args.is_json() {
        print_json(&verdicts);
    } else {
        print_text(&verdicts, args.quiet);
    }
    let failed = verdicts.iter().filter(|verdict| verdict.failure.is_some()).count();
    if verdicts.is_empty() {
        eprintln!("no case matches these families and instructions");
        return Ok(Status::Wrong);
    }
    Ok(if failed == 0 { Status::Fine } else { Status::Wrong })
}

fn judge(folder: &Path, case: Result<Case, DataError>, max_steps: u64) -> Verdict {
    let name = folder.display().to_string();
    match case {
        Ok(case) => {
            let failure = run_case(&case, max_steps).err();
            Verdict { folder: name, family: case.family, op: case.op, failure }
        }
        Err(error) => {
            Verdict { folder: name, family: "?".into(), op: "?".into(), failure: Some(error.to_string()) }
        }
    }
}

/// Runs a case.
///
/// # Errors
/// The first difference from the expectation.
fn run_case(case: &Case, max_steps: u64) -> Result<(), String> {
    let text = read_text(&case.program).map_err(|error| error.to_string())?;
    let source = SourceText::new(&text.name, &text.text);
    let render = |findings: Vec<pto::diag::Diagnostic>| to_text(&findings, &source, false);
    let (checked, _) = check_text(&text.text, case.profile, false).map_err(render)?;
    let program = Program::decode(&checked, None).map_err(render)?;
    let options = Options::default().max_steps(max_steps);
    let inputs = inputs(case).map_err(|error| error.to_string())?;
    let arguments = gather(&program, &inputs, 0, 1, &options).map_err(|failure| match failure {
        Failure::Data(error) => error.to_string(),
        Failure::Program(findings) => render(findings),
    })?;
    let outcome = program.launch_ranks(arguments.ranks, &options).map_err(render)?;
    let mut buffers = outcome.buffers.into_iter();
    for (argument, signature) in case.args.iter().zip(&arguments.signature.arguments) {
        let ArgumentKind::Buffer(element) = signature.kind else { continue };
        let Some(buffer) = buffers.next() else { break };
        let Some(expect) = expectation(argument) else { continue };
        let want = read(argument, expect, element).map_err(|error| error.to_string())?;
        let got =
            to_array(element, buffer.bytes, Some(want.shape().iter().map(|extent| *extent as u64).collect()));
        let got = got.map_err(|error| error.to_string())?;
        let comparison =
            compare(&got, &want, &case.tolerance).map_err(|error| format!("{}: {error}", argument.name))?;
        if !comparison.passed() {
            return Err(format!("{}: {comparison}", argument.name));
        }
    }
    Ok(())
}

/// Reads a file of a case and checks its shape.
fn read(argument: &CaseArg, file: &Path, element: Element) -> Result<Array, DataError> {
    let array = npy::read(file, element)?;
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
        Role::In(_) | Role::Scalar(_) => None,
    }
}

/// The inputs of a case for a launch.
pub(super) fn inputs(case: &Case) -> Result<Vec<Input>, DataError> {
    let mut inputs = Vec::new();
    for (index, argument) in case.args.iter().enumerate() {
        let element = argument.dtype.storage();
        let given = match &argument.role {
            Role::In(file) | Role::InOut { file, .. } => Given::Array(read(argument, file, element)?),
            Role::Scalar(bits) => Given::Bits(*bits),
            Role::Out(expect) => {
                let shape = read(argument, expect, element)?.shape().to_vec();
                Given::Array(Array::zeros(element, shape)?)
            }
        };
        inputs.push(Input { argument: index, rank: None, given });
    }
    Ok(inputs)
}

fn print_text(verdicts: &[Verdict], quiet: bool) {
    let mut families: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for verdict in verdicts {
        let counts = families.entry(&verdict.family).or_default();
        match &verdict.failure {
            None => counts.0 += 1,
            Some(failure) => {
                counts.1 += 1;
                if !quiet {
                    let indented = failure.trim_end().replace('\n', "\n  ");
                    print_out(&format!("FAILED {}\n  {indented}\n", verdict.folder));
                }
            }
        }
    }
    for (family, (passed, failed)) in &families {
        print_out(&format!("{family}: {passed} of {} passed\n", passed + failed));
    }
    let failed = verdicts.iter().filter(|verdict| verdict.failure.is_some()).count();
    print_out(&format!("{} passed, {failed} failed\n", verdicts.len() - failed));
}

fn print_json(verdicts: &[Verdict]) {
    let cases: Vec<_> = verdicts
        .iter()
        .map(|verdict| {
            json!({
                "case": verdict.folder,
                "family": verdict.family,
                "op": verdict.op,
                "passed": verdict.failure.is_none(),
                "failure": verdict.failure,
            })
        })
        .collect();
    let failed = verdicts.iter().filter(|verdict| verdict.failure.is_some()).count();
    let report = json!({ "cases": cases, "passed": verdicts.len() - failed, "failed": failed });
    print_out(&format!("{report:#}\n"));
}
