//! Sequences that are run and timed: for `pto time --sequence` and `pto report --sequence`.

use super::{OnDevice, load, most_steps};
use crate::args::TimedArgs;
use crate::commands::sequence::{Loaded, given, read};
use crate::commands::{Status, Text};
use crate::settings::{Configured, Settings};
use pto::Program;
use pto::data::{DataError, Failure};
use pto::diag::Diagnostic;
use pto::isa::device::Device;
use pto::observe::Watchers;
use pto::sequence::{Follow, Launch, Launched, Plan, Session, Stopped};
use pto::sim::Observer;
use pto::timeline::Recorder;
use pto::timeline::{Chain, Detail, Timing, time};
use std::cell::RefCell;

/// A launch that was timed.
pub(in crate::commands) struct TimedLaunch<'a> {
    pub(in crate::commands) launch: &'a Launch<'a>,
    pub(in crate::commands) session: &'a Session,
    /// The text of its kernel.
    pub(in crate::commands) text: &'a Text,
    pub(in crate::commands) timing: &'a Timing,
    /// When it began, in microseconds.
    pub(in crate::commands) start: f64,
}

/// A sequence that was run on a device.
pub(in crate::commands) struct TimedSequence<'a> {
    /// The file of the sequence.
    pub(in crate::commands) file: String,
    pub(in crate::commands) loaded: &'a Loaded<'a>,
    pub(in crate::commands) plan: Plan,
    pub(in crate::commands) device: Device,
    /// For each kernel, whether flags and addresses are those of `pto lower`.
    pub(in crate::commands) lowered: Vec<bool>,
    /// From the start of the first launch to the end of the last.
    pub(in crate::commands) microseconds: f64,
    /// The launch that an error stopped.
    pub(in crate::commands) stopped: Option<String>,
}

/// Result of a command on a timed sequence.
pub(in crate::commands) trait Timed {
    /// A launch has ended.
    fn launch(&mut self, launch: &TimedLaunch<'_>);

    /// All launches have ended, or an error stopped one.
    ///
    /// # Errors
    /// A file that cannot be written.
    fn end(&mut self, sequence: TimedSequence<'_>) -> Result<(), DataError>;
}

/// Runs a sequence and times its launches. `usual` are the watchers if the flags name none.
pub(in crate::commands) fn run(
    args: &TimedArgs,
    configured: &Configured,
    usual: Watchers,
    timed: &mut dyn Timed,
) -> Result<Status, DataError> {
    let kernels = RefCell::new(Kernels::default());
    let decode = |text: &Text, settings: &Settings, entry: Option<&str>| {
        kernels.borrow_mut().load(args, entry, settings, text)
    };
    let mut loaded = Loaded::new(&args.file, configured, &decode);
    match launches(args, &mut loaded, &kernels, usual, timed) {
        Ok((plan, device, microseconds, stopped)) => {
            let lowered = kernels.take().lowered;
            let file = args.file.display().to_string();
            timed.end(TimedSequence {
                file,
                loaded: &loaded,
                plan,
                device,
                lowered,
                microseconds,
                stopped,
            })?;
            Ok(if loaded.has_errors() { Status::Wrong } else { Status::Fine })
        }
        Err(Failure::Data(error)) => Err(error),
        Err(Failure::Program(findings)) => {
            loaded.add_last(findings);
            loaded.print();
            Ok(Status::Wrong)
        }
    }
}

/// The launches: their plan, their device, the time in microseconds, and the launch that an error stopped.
type Ran = (Plan, Device, f64, Option<String>);

fn launches(
    args: &TimedArgs,
    loaded: &mut Loaded<'_>,
    kernels: &RefCell<Kernels>,
    usual: Watchers,
    timed: &mut dyn Timed,
) -> Result<Ran, Failure> {
    let sequence = read(&args.file)?;
    let plan = Plan::of(&sequence, &mut |file, entry| loaded.load(file, entry))?;
    let Some(device) = kernels.borrow().device.clone() else {
        return Err(DataError::new("the sequence has no launches").into());
    };
    let given = given(&args.launch.inputs, &plan, args.launch.seed)?;
    let spec = args.spec(usual);
    let mut session = Session::new(spec.options(), spec.watch_options());
    let chain = Chain::new(&device);
    let most = most_steps(args);
    let recorder = Recorder::new(most);
    let mut timer = Timer { device, chain, microseconds: 0.0, loaded, timed, recorder, most };
    let ran = plan.run(&mut session, given, &mut timer);
    let Timer { device, microseconds, .. } = timer;
    session.conflicts().into_iter().for_each(|finding| loaded.add_finding(finding));
    let stopped = match ran {
        Ok(_) => None,
        Err(Stopped { launch: Some((name, kernel)), failure: Failure::Program(findings) }) => {
            loaded.add(kernel, &name, findings);
            Some(name)
        }
        Err(Stopped { failure, .. }) => return Err(failure),
    };
    Ok((plan, device, microseconds, stopped))
}

/// Times launches as they end.
struct Timer<'a, 'b> {
    device: Device,
    chain: Chain,
    /// The end of the last launch.
    microseconds: f64,
    loaded: &'a mut Loaded<'b>,
    timed: &'a mut dyn Timed,
    /// Records the next launch, at most `most` steps.
    recorder: Recorder,
    most: usize,
}

impl Follow for Timer<'_, '_> {
    fn observer(&mut self) -> Option<&mut dyn Observer> {
        Some(&mut self.recorder)
    }

    fn begin_group(&mut self) {
        self.chain.begin_group();
    }

    fn next_branch(&mut self) {
        self.chain.next_branch();
    }

    fn end_group(&mut self) {
        self.chain.end_group();
    }

    fn after(
        &mut self,
        launch: &Launch<'_>,
        session: &Session,
        launched: Launched<'_>,
    ) -> Result<(), Failure> {
        let Launched { name, kernel, outcome, watched } = launched;
        let recorder = std::mem::replace(&mut self.recorder, Recorder::new(self.most));
        let recording = recorder.into_recording(launch.program, &watched);
        self.loaded.add(kernel, name, watched.after(&outcome));
        let timing = time(&recording, &self.device, Detail::Totals)
            .map_err(|error| DataError::new(format!("{name}: {error}")))?;
        let (start, _) = self.chain.launch(&timing);
        self.microseconds = timing.micros(self.chain.cycles());
        let text = self.loaded.text(kernel);
        let start = timing.micros(start);
        self.timed.launch(&TimedLaunch { launch, session, text, timing: &timing, start });
        Ok(())
    }
}

/// The kernels of a sequence, as they run on one device.
#[derive(Default)]
struct Kernels {
    /// The device of all of them.
    device: Option<Device>,
    /// For each, whether it was lowered.
    lowered: Vec<bool>,
}

impl Kernels {
    /// Loads another kernel: its program, and the findings of its check.
    fn load(
        &mut self,
        args: &TimedArgs,
        entry: Option<&str>,
        settings: &Settings,
        text: &Text,
    ) -> Result<(Program, Vec<Diagnostic>), Failure> {
        let OnDevice { program, device, lowered, warnings } = load(args, entry, settings, &text.text)?;
        let known = self.device.get_or_insert_with(|| device.clone());
        if known.name != device.name {
            let message =
                format!("{}: it is for {}, other kernels are for {}", text.name, device.name, known.name);
            return Err(DataError::misuse(message).with_help("--device names one for all").into());
        }
        self.lowered.push(lowered);
        Ok((program, warnings))
    }
}
