//! `pto inspect`: the arguments of a kernel, its parts, and the properties that the watchers can judge.

use super::{Status, Text, check_text, programs_below, read_text};
use crate::args::InspectArgs;
use crate::printer::{plural, print_diagnostics, print_either, print_err, print_out, print_refusal};

use crate::inspect::{Inspected, json as described, text};
use crate::output::{Output, write_all};
use crate::render::SourceText;
use crate::settings::Settings;
use pto::data::{DataError, Given, Source, guess};
use pto::diag::Diagnostic;
use pto::{Checked, Program};
use serde_json::{Value as Json, json};
use std::path::Path;

pub(super) fn run(args: &InspectArgs) -> Result<Status, DataError> {
    if args.manifest {
        return manifest(args);
    }
    let file = read_text(&args.file)?;
    match kernels(args, &file) {
        Ok(kernels) => {
            let source = SourceText::new(&file.name, &file.text);
            let all = || kernels.iter().map(|kernel| described(kernel, &source)).collect::<Vec<_>>();
            let texts = || kernels.iter().map(|kernel| text(kernel, &source)).collect::<Vec<_>>();
            let report = || json!({ "file": file.name, "kernels": all() });
            print_either(args.json, report, || texts().join("\n"));
            Ok(Status::Fine)
        }
        Err(findings) => {
            print_refusal(args.json, &findings, &file);
            Ok(Status::Wrong)
        }
    }
}

/// The kernels of a program that `--entry` selects, or all.
fn kernels(args: &InspectArgs, file: &Text) -> Result<Vec<Inspected>, Vec<Diagnostic>> {
    let (checked, _) = check_text(&file.text, &Settings::from(&args.profile))?;
    entries(args, &checked).iter().map(|entry| inspected(&checked, entry.as_deref())).collect()
}

/// The names of the kernels; without any, decoding reports why.
fn entries(args: &InspectArgs, checked: &Checked) -> Vec<Option<String>> {
    if let Some(entry) = &args.entry {
        return vec![Some(entry.clone())];
    }
    let all: Vec<_> = Program::kernels(checked.module()).into_iter().map(Some).collect();
    if all.is_empty() { vec![None] } else { all }
}

fn inspected(checked: &Checked, entry: Option<&str>) -> Result<Inspected, Vec<Diagnostic>> {
    Program::decode(checked, entry).map(|program| Inspected::of(&program))
}

/// Writes a manifest with guessed inputs for a program, or for every program below a folder. Programs that are not
/// legal are named on stderr and left out.
fn manifest(args: &InspectArgs) -> Result<Status, DataError> {
    let (folder, files) = match args.file.is_dir() {
        true => (args.file.clone(), programs_below(&args.file)?),
        false => {
            let name = args.file.file_name().unwrap_or(args.file.as_os_str());
            let folder = args.file.parent().unwrap_or(Path::new("")).to_path_buf();
            (folder, vec![name.to_string_lossy().into_owned()])
        }
    };
    let (mut launches, mut left_out) = (Vec::new(), 0);
    for name in &files {
        let path = if args.file.is_dir() { folder.join(name) } else { args.file.clone() };
        let file = read_text(&path)?;
        match kernels(args, &file) {
            Ok(kernels) => launches.extend(kernels.iter().map(|kernel| entry(name, kernel))),
            Err(findings) => {
                left_out += 1;
                print_diagnostics(&findings, &file);
            }
        }
    }
    let manifest = format!("{:#}\n", Json::from(launches));
    match &args.output {
        Some(path) => write_all(&[Output::new(path, manifest.into_bytes())])?,
        None => print_out(&manifest),
    }
    if left_out > 0 {
        print_err!("{} left out, because they are not legal", plural(left_out, "program"));
    }
    Ok(if left_out == 0 { Status::Fine } else { Status::Wrong })
}

/// The entry of a manifest that launches a kernel with guessed inputs.
fn entry(file: &str, kernel: &Inspected) -> Json {
    let given = kernel.interface.parameters.iter().filter_map(|parameter| {
        let given = guess::input(&kernel.interface, parameter)?;
        Some((parameter.name.clone(), written(&given)?))
    });
    let inputs: serde_json::Map<String, Json> = given.collect();
    json!({ "file": file, "entry": kernel.interface.entry, "blocks": 1, "inputs": inputs })
}

/// A guessed input as a manifest has it.
fn written(given: &Given) -> Option<Json> {
    match given {
        Given::Reached(kind) => Some(kind.word().into()),
        Given::Source(Source::Scalar(text)) => text.parse::<i64>().ok().map(Json::from),
        _ => None,
    }
}
