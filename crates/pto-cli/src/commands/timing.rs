//! Programs that are run and timed: for `pto time`, `pto map` and `pto report`.

mod kernel;
pub(super) mod sequence;

use super::kernel::Place;
use super::{Status, Text, beside, check_text, read_text};
use crate::args::TimedArgs;
use crate::device;
use crate::files::Disk;
use crate::printer::{print_findings, print_warnings};
use crate::render::{Joined, SourceText};
use crate::report::{Ran, TimedOperation};
use crate::settings::Settings;
use pto::analysis::Synchronization;
use pto::data::{DataError, Failure};
use pto::diag::{Diagnostic, Severity};
use pto::isa::Profile;
use pto::isa::device::Device;
use pto::observe::Watchers;
use pto::passes::{LowerOptions, lower};
use pto::sim::Signature;
use pto::timeline::{Detail, Recording, Timing, time};
use pto::timeline::{RecordOptions, record};
use pto::{Checked, Program};
use std::cell::OnceCell;
use std::path::Path;

/// A program to time, where it runs.
pub(super) struct Source {
    pub(super) text: Text,
    place: Place,
    /// The files in which a kernel in C++ has code, known when it has run.
    joined: OnceCell<Joined>,
}

/// The program of a command; the status of a command that a kernel in C++ has run in a program of its own.
///
/// # Errors
/// A file that cannot be read, a flag without a meaning for it, or a kernel whose program does not run.
pub(super) fn source(
    args: &TimedArgs,
    path: &Path,
    settings: &Settings,
) -> Result<Result<Source, Status>, DataError> {
    let place = kernel::place(args, path, settings)?;
    if let Place::Ended(status) = place {
        return Ok(Err(status));
    }
    Ok(Ok(Source { text: read_text(path)?, place, joined: OnceCell::new() }))
}

/// A timed program.
pub(super) struct Timed<'a> {
    pub(super) text: &'a Text,
    /// The text by lines.
    pub(super) source: SourceText<'a>,
    pub(super) device: Device,
    /// The program that ran.
    pub(super) program: Program,
    pub(super) recording: Recording,
    pub(super) timing: Timing,
    /// Whether flags and addresses are those of `pto lower`.
    pub(super) lowered: bool,
    /// Whether flags are missing in the program, and those that a compiler would insert are timed.
    pub(super) is_automatic: bool,
    /// The mark in front of names of tiles.
    pub(super) sigil: &'static str,
    /// Extensions and lints of the program itself.
    pub(super) warnings: Vec<Diagnostic>,
    /// Buffers that are not given. They contain zeros and count as written, unless `--watch` asks for reads of unwritten
    /// bytes.
    pub(super) zeros: Vec<String>,
    /// Findings of the run. If an error stopped it, the instructions issued until then are timed.
    pub(super) findings: Vec<Diagnostic>,
}

/// Maximum number of instructions that maps and reports show individually.
pub(super) const MANY: usize = 10_000_000;

/// Maximum number of recorded steps of a launch, unless a flag sets it.
const MOST_STEPS: usize = 50_000_000;

/// Requirements of a command on a launch, in addition to its flags.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// The watchers, if the flags name none.
    pub(super) usual: Watchers,
    /// The rank and the block of which contents of tiles are kept.
    pub(super) contents: Option<(u32, u32)>,
    /// Detail that the timing keeps of single instructions.
    pub(super) detail: Detail,
}

impl Timed<'_> {
    /// The timing with all files of a kernel in C++ as one: lines count from the first file on.
    pub(super) fn in_one_file(self) -> Self {
        Timed { source: SourceText::new(self.source.name(), self.source.text()), ..self }
    }

    /// Whether it is a kernel in C++.
    pub(super) fn is_cpp(&self) -> bool {
        self.sigil.is_empty()
    }

    /// Whether an error stopped the run, or a watcher found one.
    pub(super) fn is_wrong(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// Inputs of reports on it.
    pub(super) fn ran(&self) -> Ran<'_> {
        let Timed { source, program, recording, timing, .. } = self;
        Ran { text: source, program, recording, timing, lowered: self.lowered, sigil: self.sigil }
    }

    /// The line of an operation among [`Timing::sources`], from 1.
    pub(super) fn line(&self, source: u32) -> usize {
        self.source.positions(self.timing.sources[source as usize].span).0.line
    }

    /// An operation with its line, such as `tload at line 41`.
    pub(super) fn place(&self, source: u32) -> String {
        TimedOperation::of(&self.timing, source, &self.source, self.lowered).to_string()
    }

    /// Remarks about the launch for the reader, before its figures.
    pub(super) fn remarks(&self) -> Vec<&'static str> {
        let stopped = self.timing.is_stopped;
        let (shown, many) = (!self.timing.spans().is_empty(), self.recording.steps() > MANY);
        [
            (self.lowered, "the program has no flags of its own: timed as `pto lower` lowers it"),
            (
                self.is_automatic,
                "the kernel leaves synchronization to the compiler (__PTO_AUTO__): timed without any, which is too short",
            ),
            (self.timing.is_truncated, "the launch has more steps than --limit: only its beginning is timed"),
            (
                many && !shown,
                "the launch has more than ten million steps: only sums and the critical path are kept",
            ),
            (
                shown && self.timing.is_cut(),
                "only the first instructions are shown one by one: sums and the critical path are those of all",
            ),
            (stopped, "an error stopped the run: what was issued before it is timed"),
            (self.is_wrong() && !stopped, "the run has errors, which the findings name"),
        ]
        .into_iter()
        .filter_map(|(holds, sentence)| holds.then_some(sentence))
        .collect()
    }
}

/// Refuses a block that the launch does not have.
pub(super) fn check_block(args: &TimedArgs, rank: u32, block: u32) -> Result<(), DataError> {
    if rank < args.machine.ranks && block < args.launch.blocks {
        return Ok(());
    }
    let what = format!("the launch has no block {block} of rank {rank}");
    Err(DataError::misuse(what).with_help("`--blocks` and `--ranks` set how many there are"))
}

/// Runs a program and times it; `None` if findings that are printed prevent that.
pub(super) fn one<'a>(
    args: &TimedArgs,
    settings: &Settings,
    source: &'a Source,
    wanted: Wanted,
) -> Result<Option<Timed<'a>>, DataError> {
    let result = match source.place {
        Place::Linked(kernels) => kernel::timed(args, settings, source, kernels, wanted),
        _ => timed(args, settings, &source.text, wanted),
    };
    match result {
        Ok(timed) => {
            print_warnings(&timed.warnings, &timed.source, &args.rules);
            print_findings(&timed.findings, &timed.source);
            Ok(Some(timed))
        }
        Err(Failure::Data(error)) => Err(error),
        Err(Failure::Program(findings)) => {
            print_findings(&findings, &source.positions());
            Ok(None)
        }
    }
}

impl Source {
    /// The text by lines.
    fn positions(&self) -> SourceText<'_> {
        match self.joined.get() {
            Some(joined) => SourceText::joined(joined),
            None => SourceText::new(&self.text.name, &self.text.text),
        }
    }
}

fn timed<'a>(
    args: &TimedArgs,
    settings: &Settings,
    text: &'a Text,
    wanted: Wanted,
) -> Result<Timed<'a>, Failure> {
    let spec = beside::completed(text, args.spec(wanted.usual))?;
    let OnDevice { program, device, lowered, warnings } =
        load(args, spec.entry.as_deref(), settings, &text.text)?;
    let contents = wanted.contents.map(|(rank, block)| super::report::keep(&program, rank, block));
    let mut launch = spec.prepare(&program, &Disk)?;
    let zeros = match args.watch.watch.is_empty() {
        true => blank(&program, std::mem::take(&mut launch.options.blank))?,
        false => Vec::new(),
    };
    let wanted_steps = RecordOptions { most: most_steps(args), watch: launch.watch, contents };
    let (recording, found) = record(&program, launch.ranks, &launch.options, &wanted_steps)?;
    let timing = time(&recording, &device, wanted.detail)?;
    let findings = settings.level(found, &text.text).findings;
    let source = SourceText::new(&text.name, &text.text);
    Ok(Timed {
        text,
        source,
        device,
        program,
        recording,
        timing,
        lowered,
        is_automatic: false,
        sigil: "%",
        warnings,
        zeros,
        findings,
    })
}

/// The names of arguments that have no contents.
fn blank(program: &Program, blank: Vec<(u32, usize)>) -> Result<Vec<String>, DataError> {
    let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
    let of_first = blank.into_iter().filter(|(rank, _)| *rank == 0);
    Ok(of_first.map(|(_, argument)| signature.arguments[argument].name.clone()).collect())
}

/// Maximum number of steps that are recorded.
fn most_steps(args: &TimedArgs) -> usize {
    args.limit.unwrap_or(MOST_STEPS)
}

/// A program as it runs on a device.
struct OnDevice {
    program: Program,
    device: Device,
    /// Whether flags and addresses are those of `pto lower`.
    lowered: bool,
    /// Extensions and lints of the program.
    warnings: Vec<Diagnostic>,
}

/// Checks a program for its device, and lowers it if it has no flags of its own.
fn load(args: &TimedArgs, entry: Option<&str>, settings: &Settings, text: &str) -> Result<OnDevice, Failure> {
    let (checked, warnings, device) = check(args, settings, text)?;
    let program = Program::decode(&checked, entry)?;
    let (program, lowered) = synchronized(entry, &checked, program)?;
    Ok(OnDevice { program, device, lowered, warnings })
}

/// The checked program with its extensions and lints, for the profile of the device.
fn check(
    args: &TimedArgs,
    settings: &Settings,
    text: &str,
) -> Result<(Checked, Vec<Diagnostic>, Device), Failure> {
    if let Some(name) = &args.device {
        let device = device::find(Some(name), Profile::default())?;
        let settings = Settings { target: settings.target.or(Some(device.profile)), ..settings.clone() };
        let (checked, warnings) = check_text(text, &settings)?;
        if profiles(&checked).any(|profile| profile != device.profile) {
            let message =
                format!("the program is for another profile than {}, {}", device.name, device.profile.word());
            return Err(DataError::misuse(message).into());
        }
        return Ok((checked, warnings, device));
    }
    let (checked, warnings) = check_text(text, settings)?;
    let profile = profiles(&checked).next().unwrap_or_default();
    let device = Device::usual(profile);
    if profile == device.profile {
        return Ok((checked, warnings, device));
    }
    // A program for no device is timed on the usual one.
    let settings = Settings { target: Some(device.profile), ..settings.clone() };
    let (checked, warnings) = check_text(text, &settings)?;
    Ok((checked, warnings, device))
}

/// The profiles of the functions with bodies.
fn profiles(checked: &Checked) -> impl Iterator<Item = Profile> + '_ {
    let with_body = checked.module().functions.iter().filter(|(_, function)| function.body.is_some());
    with_body.map(|(id, _)| checked.profile(id))
}

/// The program as it runs on the device: without flags of its own, as `pto lower` lowers it.
fn synchronized(
    entry: Option<&str>,
    checked: &Checked,
    program: Program,
) -> Result<(Program, bool), Failure> {
    if Synchronization::of(program.module(), program.functions()) == Synchronization::Explicit {
        return Ok((program, false));
    }
    let lowered = lower(checked, &LowerOptions::default())?;
    let profile = program.profile();
    let checked = pto::check(lowered.module, Some(profile))?;
    Ok((Program::decode(&checked, entry)?, true))
}
