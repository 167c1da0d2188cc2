//! `pto record --examples`: records the examples of the instructions as cases for testing other simulators.
//!
//! A case contains its program, its inputs and the outputs that this toolchain computes, with the instruction and the
//! page of its formula. `index.json` lists the cases, and the examples that were not recorded, with the reason.

use super::{Launch, is_wrong, launch};
use crate::args::{RecordArgs, RunArgs};
use crate::case::{Recording, save};
use crate::commands::check_text;
use crate::commands::sweep::in_comments;
use crate::commands::{Status, Text};
use crate::output::{Output, write_all};
use crate::printer::{plural, print_diagnostics, print_out};
use crate::programs::{Example, examples};
use crate::report::to_text;
use crate::settings::Settings;
use pto::Profile;
use pto::data::{DataError, Failure};
use pto::isa::Op;
use serde::Serialize;

/// The list of the cases.
#[derive(Default, Serialize)]
struct Index {
    cases: Vec<Entry>,
    /// Examples that were not recorded.
    left_out: Vec<LeftOut>,
}

#[derive(Serialize)]
struct Entry {
    folder: String,
    op: &'static str,
    profile: &'static str,
    source: &'static str,
}

#[derive(Serialize)]
struct LeftOut {
    op: &'static str,
    reason: &'static str,
}

/// Writes the suite.
pub(super) fn write(args: &RecordArgs) -> Result<Status, DataError> {
    let mut index = Index::default();
    for example in examples() {
        match flags(&example)? {
            Err(reason) => index.left_out.push(LeftOut { op: example.name, reason }),
            Ok(flags) => {
                for profile in &example.profiles {
                    index.cases.push(case(args, &example, &flags, *profile)?);
                }
            }
        }
    }
    let file = args.save.join("index.json");
    write_all(&[Output::new(&file, to_text(&index).into_bytes())])?;
    if !args.quiet {
        let (cases, left_out) = (plural(index.cases.len(), "case"), plural(index.left_out.len(), "example"));
        print_out(&format!("{}: {cases}; {left_out} left out, as index.json says\n", args.save.display()));
    }
    Ok(Status::Fine)
}

/// Flags of the launch of an example, or the reason not to record it.
fn flags(example: &Example) -> Result<Result<Box<RunArgs>, &'static str>, DataError> {
    Ok(match in_comments(example.text)?.1 {
        None => Err("it is only checked"),
        Some(flags) if flags.machine.ranks > 1 => {
            Err("it runs on several ranks, and a case is a launch of one")
        }
        Some(flags) => Ok(flags),
    })
}

/// Runs an example on a profile and writes the case.
fn case(args: &RecordArgs, example: &Example, flags: &RunArgs, profile: Profile) -> Result<Entry, DataError> {
    let run = || -> Result<Launch, Failure> {
        let (checked, _) = check_text(example.text, &Settings::of_target(Some(profile)))?;
        launch(&checked, &flags.spec())
    };
    let stopped =
        || DataError::new(format!("the example of `{}` does not run on {}", example.name, profile.word()));
    let text = Text { name: example.file(), text: example.text.to_owned() };
    let refused = |findings| {
        print_diagnostics(findings, &text);
        stopped()
    };
    let done = match run() {
        Ok(done) if is_wrong(&done.found) => return Err(refused(&done.found)),
        Ok(done) => done,
        Err(Failure::Program(findings)) => return Err(refused(&findings)),
        Err(Failure::Data(error)) => return Err(error),
    };
    let page = Op::find_spelling(example.name).ok_or_else(stopped)?.page();
    let folder = format!("{}/{}", profile.word(), example.name);
    let recording = Recording {
        text: example.text,
        cpp: None,
        op: Some(page.name),
        family: page.set.word(),
        source: Some(page.source),
        profile,
        entry: flags.launch.entry.as_deref(),
        blocks: flags.launch.blocks,
        args: &done.recorded,
        tolerance: args.tolerance.tolerance(),
        note: Some(page.summary),
    };
    save(&args.save.join(&folder), &recording, args.force)?;
    Ok(Entry { folder, op: page.name, profile: profile.word(), source: page.source })
}
