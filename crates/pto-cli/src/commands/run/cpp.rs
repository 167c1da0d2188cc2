//! `pto run kernel.cpp` in the program that has the kernel in it.

use super::found::Found;
use super::{assignments, check_files_differ, compare_all, expectations, write_outputs};
use crate::args::{Format, RunArgs};
use crate::commands::beside;
use crate::commands::expectation::LastWrite;
use crate::commands::kernel::{self, KernelFile, Launched, Linked, Refused};
use crate::commands::summary::Seen;
use crate::files::Disk;
use crate::linked::{Kernels, Wanted};
use crate::settings::Settings;
use pto::data::{Failure, Source};
use pto::sim::Schedule;
use std::time::Instant;

/// The flags that have no meaning for compiled code.
pub(super) fn refused(args: &RunArgs) -> Vec<Refused<'static>> {
    let in_order = args.schedule.schedule == Schedule::Program && args.schedule.schedule_seed.is_none();
    let timed = args.repeat > 1 || args.time;
    let mut refused = kernel::refused(&args.launch, Some(&args.machine));
    refused.extend([
        (!in_order, "--schedule and --schedule-seed", "it runs in program order"),
        (!args.dump.is_empty(), "--dump", "tiles have no names in compiled code; TPRINT prints them"),
        (timed, "--repeat and --time", "they time programs that the machine has decoded"),
        (args.log.is_some(), "--log", "a log names values of a program in text"),
    ]);
    refused
}

/// Runs a kernel of a source.
pub(super) fn run<'a>(
    args: &'a RunArgs,
    settings: &Settings,
    file: KernelFile<'a>,
    kernels: &dyn Kernels,
) -> Result<Found<'a>, Failure> {
    let (start, text) = (Instant::now(), file.text);
    let launch = beside::completed_flags(text, &args.launch)?;
    let linked = Linked::of(kernels, file, &launch, &args.expect)?;
    let signature = linked.signature()?;
    let spec = RunArgs { launch: launch.clone(), ..args.clone() }.spec();
    let spec = linked.spec(spec, &launch.inputs);
    let mut inputs = spec.inputs(linked.program(), &Disk)?;
    let outputs = assignments(&args.outputs, &signature, 1)?;
    let expected = assignments(&args.expect, &signature, 1)?;
    check_files_differ(args, &inputs, &outputs)?;
    let wanted: Vec<(usize, Source)> =
        expected.iter().map(|((at, _), path)| (*at, Source::of_file(&path.to_string_lossy()))).collect();
    let prepared = linked.prepare(&spec, &mut inputs, &wanted)?;
    let expected = expectations(expected, &signature, &prepared.launch)?;
    let (is_report, writes) = (args.format.chosen() != Format::Text, !expected.is_empty());
    let launched = linked.run(prepared, &Wanted { is_report, writes, ..Wanted::default() })?;
    let Launched { report, joined, writes, .. } = launched;
    let mut report = match report {
        Ok(report) => report,
        Err(findings) => {
            let diagnostics = settings.level(findings, joined.text()).findings;
            return Ok(Found { joined: Some(joined), ..Found::of(args, text, start, diagnostics) });
        }
    };
    let printed = std::mem::take(&mut report.outcome.printed);
    let seen = (!spec.watch.is_empty()).then(|| Seen::of_calls(&report.outcome, &report.watched.examined));
    let diagnostics = settings.level(report.findings(), joined.text()).findings;
    let results = report.results()?;
    let last = writes.as_ref().map_or(LastWrite::Unknown, LastWrite::Kept);
    let compared = compare_all(args, &results, expected, last)?;
    write_outputs(&outputs, &results)?;
    let found = Found { joined: Some(joined), ..Found::of(args, text, start, diagnostics) };
    Ok(Found { results, compared, printed, seen, stopped: None, ..found })
}
