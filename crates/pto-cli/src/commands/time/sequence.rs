//! `pto time --sequence`: when the launches of a sequence run on a device.

use crate::args::TimeArgs;
use crate::commands::Status;
use crate::commands::timing::sequence::{self, Timed, TimedLaunch, TimedSequence};
use crate::printer::print_either;
use crate::report::{KernelTiming, LaunchTiming, SequenceTiming};
use crate::settings::Configured;
use pto::data::DataError;
use pto::observe::Watchers;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Times a sequence.
pub(super) fn run(args: &TimeArgs, configured: &Configured) -> Result<Status, DataError> {
    let mut times = Times { args, sums: BTreeMap::new(), longest: Vec::new(), truncated: false };
    sequence::run(&args.launch, configured, Watchers::NONE, &mut times)
}

/// The times of the launches so far.
struct Times<'a> {
    args: &'a TimeArgs,
    /// For each kernel: launches, and their sum and maximum in microseconds.
    sums: BTreeMap<usize, (usize, f64, f64)>,
    longest: Vec<LaunchTiming>,
    truncated: bool,
}

impl Times<'_> {
    fn keep_longest(&mut self) {
        self.longest.sort_by(|a, b| b.microseconds.total_cmp(&a.microseconds));
        self.longest.truncate(self.args.top);
    }
}

impl Timed for Times<'_> {
    fn launch(&mut self, one: &TimedLaunch<'_>) {
        let took = one.timing.microseconds();
        let (launches, sum, longest) = self.sums.entry(one.launch.kernel).or_default();
        *launches += 1;
        *sum += took;
        *longest = longest.max(took);
        self.truncated |= one.timing.is_truncated;
        let name = one.launch.name.clone();
        self.longest.push(LaunchTiming { name, start: one.start, microseconds: took });
        // Sorted only now and then: a sequence may have very many launches.
        if self.longest.len() >= 2 * self.args.top.max(64) {
            self.keep_longest();
        }
    }

    fn end(&mut self, sequence: TimedSequence<'_>) -> Result<(), DataError> {
        let TimedSequence { file, loaded, plan, device, lowered, microseconds, stopped } = sequence;
        self.keep_longest();
        let kernels = plan.kernels.iter().zip(lowered).enumerate().map(|(number, (kernel, lowered))| {
            let (launches, microseconds, longest) = self.sums.get(&number).copied().unwrap_or_default();
            let (file, entry) = (kernel.file.clone(), kernel.entry.clone());
            KernelTiming { file, entry, lowered, launches, microseconds, longest }
        });
        let timing = SequenceTiming {
            file,
            device: device.name,
            clock: device.clock.value,
            microseconds,
            launches: self.sums.values().map(|(launches, ..)| launches).sum(),
            kernels: kernels.collect(),
            longest: std::mem::take(&mut self.longest),
            stopped,
            truncated: self.truncated,
            diagnostics: loaded.report(),
        };
        if !self.args.json {
            loaded.print();
        }
        print_either(self.args.json, || &timing, || lines(&timing));
        Ok(())
    }
}

/// The tables.
fn lines(timing: &SequenceTiming) -> String {
    let mut out = format!(
        "{}: {:.2} us on {}, {} launches one after the other or, in parallel groups, beside each other\n",
        timing.file, timing.microseconds, timing.device, timing.launches
    );
    if let Some(launch) = &timing.stopped {
        let _ = writeln!(out, "an error stopped launch `{launch}`: the launches before it are timed");
    }
    if timing.truncated {
        out.push_str("some launches have more steps than --limit: only their beginning is timed\n");
    }
    let mut kernels: Vec<&KernelTiming> = timing.kernels.iter().collect();
    kernels.sort_by(|a, b| b.microseconds.total_cmp(&a.microseconds));
    let sum: f64 = kernels.iter().map(|kernel| kernel.microseconds).sum();
    out.push_str("\nkernels\n   share         time  launches    longest\n");
    for kernel in kernels {
        let share = 100.0 * kernel.microseconds / sum.max(1e-9);
        let entry = kernel.entry.as_ref().map_or(String::new(), |entry| format!(" @{entry}"));
        let note = if kernel.lowered { ", as `pto lower` lowers it" } else { "" };
        let _ = writeln!(
            out,
            "{share:6.1} %  {:9.2} us  {:>8}  {:7.2} us  {}{entry}{note}",
            kernel.microseconds, kernel.launches, kernel.longest, kernel.file
        );
    }
    out.push_str("\nlongest launches\n       time        start\n");
    for launch in &timing.longest {
        let _ = writeln!(out, "{:8.2} us  {:8.2} us  {}", launch.microseconds, launch.start, launch.name);
    }
    out
}
