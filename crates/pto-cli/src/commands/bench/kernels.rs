//! Timing of whole kernels, with the inputs of `pto run --all`.

use super::measured::{Measured, quantiles};
use super::ready::{Ready, sentence};
use super::{Bench, compiled, instruction_times};
use crate::args::named;
use crate::commands::sweep::{Said, entries, kernels};
use crate::commands::{check_text, files_below, programs_below, read_text};
use crate::cpp::arguments::is_source;
use crate::manifest::Entry;
use crate::settings::Settings;
use pto::Program;
use pto::data::DataError;
use pto::data::Failure;
use pto::launch::Spec;
use std::path::Path;

/// Most time spent on the repetitions of a kernel, in ns.
pub(super) const LONGEST_NS: f64 = 2e9;

/// Times the program at a path, or all programs below it.
pub(super) fn run(
    bench: &mut Bench<'_>,
    path: &Path,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<(), DataError> {
    if path.is_file() {
        let name = path.display().to_string();
        match is_source(path) {
            true => source(bench, path, &name),
            false => file(bench, path, &name, &[]),
        }
        return Ok(());
    }
    let (files, sources) = (programs_below(path)?, files_below(path, is_source)?);
    let manifest = entries(bench.args.manifest.as_deref(), path, &files)?;
    let [programs, sources] = [&files, &sources].map(|names| names.iter().filter(|name| wanted(name)));
    bench.expect(programs.clone().count() + sources.clone().count());
    for name in sources {
        source(bench, &path.join(name), name);
    }
    for name in programs {
        let entries = manifest.get(name).map(Vec::as_slice).unwrap_or_default();
        if entries.iter().all(|entry| entry.rejected.is_empty()) {
            file(bench, &path.join(name), name, entries);
        }
    }
    Ok(())
}

/// Times a kernel in C++. Without flags in its comments it is a file that others include, or a program of its own.
fn source(bench: &mut Bench<'_>, path: &Path, name: &str) {
    match compiled::time(bench.args, path) {
        Ok(Some((best_ns, median_ns))) => bench.add(Measured::of(name.to_owned(), best_ns, median_ns)),
        Ok(None) => bench.skipped.push((name.to_owned(), "it has no line `// run:` with flags".to_owned())),
        Err(failure) => bench.skipped.push((name.to_owned(), sentence(&failure))),
    }
}

fn file(bench: &mut Bench<'_>, path: &Path, name: &str, entries: &[Entry]) {
    if let Err(failure) = launches(bench, path, name, entries) {
        bench.skipped.push((name.to_owned(), sentence(&failure)));
    }
}

fn launches(bench: &mut Bench<'_>, path: &Path, name: &str, entries: &[Entry]) -> Result<(), Failure> {
    let text = read_text(path)?.text;
    let usual = Spec { threads: bench.args.threads, ..Spec::default() };
    let said = Said::of(path, &text, entries, &usual)?;
    let (checked, _) = check_text(&text, &Settings::of_target(said.profile))?;
    let several = said.launches.len() > 1;
    for (at, one) in said.launches.iter().enumerate() {
        for kernel in kernels(&checked, one) {
            let mut full = name.to_owned();
            if let Some(kernel) = kernel.as_ref().filter(|_| Program::kernels(checked.module()).len() > 1) {
                full.push_str(&format!(" @{kernel}"));
            }
            if several {
                full.push_str(&format!(" ({})", at + 1));
            }
            let ready = Ready::new(&checked, kernel.as_deref(), &one.spec)?;
            let mut measured = time(bench, &ready, full)?;
            if bench.args.parts {
                measured.parts = Some(instruction_times::of(&ready, &text, kernel.as_deref())?);
            }
            bench.add(measured);
        }
    }
    Ok(())
}

/// Times repeated launches of a kernel, alternating with watched ones if watchers are requested.
fn time(bench: &Bench<'_>, ready: &Ready, name: String) -> Result<Measured, Failure> {
    let watchers = named(&bench.args.watch);
    let (mut bare, mut beside) = (Vec::new(), Vec::new());
    while bare.is_empty()
        || bare.len() < bench.args.repeat as usize && bare.iter().chain(&beside).sum::<f64>() < LONGEST_NS
    {
        bare.push(ready.launch()?);
        if !watchers.is_empty() {
            beside.push(ready.launch_watched(watchers)?);
        }
    }
    let (best_ns, median_ns) = quantiles(bare);
    let watched_ns = (!beside.is_empty()).then(|| quantiles(beside).0);
    Ok(Measured { watched_ns, ..Measured::of(name, best_ns, median_ns) })
}
