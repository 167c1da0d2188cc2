//! `pto time --sequence`: when the launches of a sequence run on a device.

use crate::args::TimeArgs;
use crate::commands::sequence::{Loaded, given, read};
use crate::commands::timed::{self, Kernels};
use crate::commands::{Status, Text, print_out};
use crate::report::{self, KernelTiming, LaunchTiming, SequenceTiming};
use crate::settings::{Configured, Settings};
use pto::data::{DataError, Failure};
use pto::isa::device::Device;
use pto::sequence::{Follow, Launch, Launched, Plan, Session, Stopped};
use pto::sim::Watched;
use pto::timeline::{Chain, time};
use std::cell::RefCell;
use std::fmt::Write;

/// Times a sequence.
pub(super) fn run(args: &TimeArgs, configured: &Configured) -> Result<Status, DataError> {
    let kernels = RefCell::new(Kernels::default());
    let decode = |text: &Text, settings: &Settings, entry: Option<&str>| {
        kernels.borrow_mut().load(&args.launch, entry, settings, text)
    };
    let mut loaded = Loaded::new(&args.launch.file, configured, &decode);
    match time_all(args, &mut loaded, &kernels) {
        Ok(timing) => {
            let wrong = loaded.has_errors();
            if args.json {
                print_out(&report::to_text(&SequenceTiming { diagnostics: loaded.report(), ..timing }));
            } else {
                loaded.print();
                print_out(&lines(&timing));
            }
            Ok(if wrong { Status::Wrong } else { Status::Fine })
        }
        Err(Failure::Data(error)) => Err(error),
        Err(Failure::Program(findings)) => {
            loaded.add_last(findings);
            loaded.print();
            Ok(Status::Wrong)
        }
    }
}

/// Runs the sequence, and times each launch when it has ended.
fn time_all(
    args: &TimeArgs,
    loaded: &mut Loaded<'_>,
    kernels: &RefCell<Kernels>,
) -> Result<SequenceTiming, Failure> {
    let launch = &args.launch;
    let sequence = read(&launch.file)?;
    let plan = Plan::of(&sequence, &mut |file, entry| loaded.load(file, entry))?;
    let Kernels { device, lowered } = kernels.take();
    let Some(device) = device else { return Err(DataError::new("the sequence has no launches").into()) };
    let kernels = plan.kernels.iter().zip(lowered);
    let kernels = kernels.map(|(kernel, lowered)| KernelTiming::new(&kernel.file, &kernel.entry, lowered));
    let timing = SequenceTiming {
        file: launch.file.display().to_string(),
        device: device.name.clone(),
        clock: device.clock.value,
        kernels: kernels.collect(),
        ..SequenceTiming::default()
    };
    let given = given(&launch.inputs, &plan, launch.seed)?;
    let mut session = Session::new(timed::options(launch, Watched::NONE));
    let chain = Chain::new(&device);
    let mut timer = Timer { device, chain, timing, loaded, most: args.top };
    let ran = plan.run(&mut session, given, &mut timer);
    let Timer { mut timing, .. } = timer;
    timing.keep_longest(args.top);
    match ran {
        Ok(_) => {
            session.conflicts().into_iter().for_each(|finding| loaded.add_finding(finding));
            Ok(timing)
        }
        Err(Stopped { launch: Some((name, kernel)), failure: Failure::Program(findings) }) => {
            loaded.add(kernel, &name, findings);
            Ok(SequenceTiming { stopped: true, ..timing })
        }
        Err(Stopped { failure, .. }) => Err(failure),
    }
}

/// Times launches as they end.
struct Timer<'a, 'b> {
    device: Device,
    chain: Chain,
    timing: SequenceTiming,
    loaded: &'a mut Loaded<'b>,
    /// Most launches that are listed.
    most: usize,
}

impl Follow for Timer<'_, '_> {
    fn begin_group(&mut self) {
        self.chain.begin_group();
    }

    fn next_branch(&mut self) {
        self.chain.next_branch();
    }

    fn end_group(&mut self) {
        self.chain.end_group();
    }

    fn after(&mut self, _: &Launch<'_>, _: &Session, launched: Launched<'_>) -> Result<(), Failure> {
        let Launched { name, kernel, outcome } = launched;
        let recording = outcome.recording.map(|recording| *recording).unwrap_or_default();
        let one =
            time(&recording, &self.device).map_err(|error| DataError::new(format!("{name}: {error}")))?;
        let (start, end) = self.chain.launch(&one);
        let [start, took, all] = [start, end - start, self.chain.cycles()].map(|cycles| one.micros(cycles));
        let timing = &mut self.timing;
        timing.launches += 1;
        timing.microseconds = all;
        timing.truncated |= one.is_truncated;
        timing.kernels[kernel].add(took);
        timing.longest.push(LaunchTiming { name: name.to_owned(), start, microseconds: took });
        // Sorted only now and then: a sequence may have very many launches.
        if timing.longest.len() >= 2 * self.most.max(64) {
            timing.keep_longest(self.most);
        }
        self.loaded.add(kernel, name, [outcome.warnings, outcome.findings].concat());
        Ok(())
    }
}

/// The tables.
fn lines(timing: &SequenceTiming) -> String {
    let mut out = format!(
        "{}: {:.2} us on {}, {} launches one after the other or, in parallel groups, beside each other\n",
        timing.file, timing.microseconds, timing.device, timing.launches
    );
    if timing.stopped {
        out.push_str("an error stopped the sequence: the launches before it are timed\n");
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
