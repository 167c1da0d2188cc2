//! `pto time`: when a launch runs on a device.

mod compare;
mod text;
mod trace;

use super::run::{blank, inputs, watched};
use super::{Status, Text, check_text, print_diagnostics, print_out, read_text};
use crate::args::TimeArgs;
use crate::device;
use crate::files::Disk;
use crate::output::write_streamed;
use crate::report::{self, TimeReport};
use crate::settings::{Configured, Settings};
use pto::analysis::Synchronization;
use pto::data::{DataError, Failure, gather};
use pto::diag::{Diagnostic, Severity};
use pto::isa::Profile;
use pto::isa::device::Device;
use pto::passes::{LowerOptions, lower};
use pto::sim::{DEFAULT_MAX_STEPS, Options, Signature};
use pto::timeline::{Timing, time};
use pto::{Checked, Program};

/// A timed program.
pub(super) struct Timed {
    pub(super) text: Text,
    pub(super) timing: Timing,
    /// Whether flags and addresses are those of `pto lower`.
    pub(super) lowered: bool,
    /// Findings of the run. If an error stopped it, what was issued until then is timed.
    pub(super) findings: Vec<Diagnostic>,
}

impl Timed {
    /// Whether an error stopped the run, or a watcher found one.
    pub(super) fn is_wrong(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }
}

pub(super) fn run(args: &TimeArgs) -> Result<Status, DataError> {
    let configured = Configured::of(&args.profile, &args.rules)?;
    let mut timed = Vec::new();
    for path in [Some(&args.file), args.other.as_ref()].into_iter().flatten() {
        let settings = configured.of_program(path)?;
        let text = read_text(path)?;
        match one(args, &settings, &text) {
            Ok((device, timing, lowered, findings)) => {
                print_diagnostics(&findings, &text);
                timed.push((device, Timed { text, timing, lowered, findings }));
            }
            Err(Failure::Data(error)) => return Err(error),
            Err(Failure::Program(findings)) => {
                print_diagnostics(&findings, &text);
                return Ok(Status::Wrong);
            }
        }
    }
    let mut timed = timed.into_iter();
    let Some((device, first)) = timed.next() else { return Ok(Status::Fine) };
    if let Some(path) = &args.trace {
        write_streamed(path, |file| trace::write(&first, args.trace_limit, file))?;
    }
    let second = timed.next().map(|(_, second)| second);
    if args.json {
        let report = TimeReport::of(&first.timing, &first.text.name, &first.text.text, first.lowered);
        let other = second
            .as_ref()
            .map(|other| TimeReport::of(&other.timing, &other.text.name, &other.text.text, other.lowered));
        print_out(&report::to_text(&report::Timings { program: report, other }));
    } else {
        match &second {
            Some(second) => print_out(&compare::lines(&first, second, args.top)),
            None => print_out(&text::lines(&first, &device, args.top)),
        }
    }
    let wrong = first.is_wrong() || second.is_some_and(|second| second.is_wrong());
    Ok(if wrong { Status::Wrong } else { Status::Fine })
}

/// Runs a program and times it: the device, the result, and whether the program was lowered first.
fn one(
    args: &TimeArgs,
    settings: &Settings,
    text: &Text,
) -> Result<(Device, Timing, bool, Vec<Diagnostic>), Failure> {
    let (checked, device) = check(args, settings, text)?;
    let program = Program::decode(&checked, args.entry.as_deref())?;
    let (program, lowered) = synchronized(args, &checked, program)?;
    let options = Options::default()
        .blocks(args.blocks)
        .max_steps(args.max_steps.unwrap_or(DEFAULT_MAX_STEPS))
        .watched(watched(&args.watch))
        .timeline(Some(args.limit));
    let signature = Signature::of(program.module(), program.entry()).map_err(DataError::new)?;
    let given = inputs(&args.inputs, args.ranks, &signature)?;
    let arguments = gather(&program, &given, args.seed, args.ranks, &options, &Disk)?;
    let options = options.blank(blank(&given, &arguments));
    let (recording, found) = program.record(arguments.ranks, &options)?;
    let timing = time(&recording, &device).map_err(DataError::new)?;
    let findings = settings.level(found, &text.text).findings;
    Ok((device, timing, lowered, findings))
}

/// The checked program, for the profile of the device.
fn check(args: &TimeArgs, settings: &Settings, text: &Text) -> Result<(Checked, Device), Failure> {
    if let Some(name) = &args.device {
        let device = device::find(Some(name), Profile::default())?;
        let settings = Settings { target: settings.target.or(Some(device.profile)), ..settings.clone() };
        let (checked, _) = check_text(&text.text, &settings)?;
        if profiles(&checked).any(|profile| profile != device.profile) {
            let message =
                format!("the program is for another profile than {}, {}", device.name, device.profile.word());
            return Err(DataError::misuse(message).into());
        }
        return Ok((checked, device));
    }
    let (checked, _) = check_text(&text.text, settings)?;
    let profile = profiles(&checked).next().unwrap_or_default();
    let device = Device::usual(profile);
    if profile == device.profile {
        return Ok((checked, device));
    }
    // A program for no device is timed on the usual one.
    let settings = Settings { target: Some(device.profile), ..settings.clone() };
    let (checked, _) = check_text(&text.text, &settings)?;
    Ok((checked, device))
}

/// The profiles of the functions with bodies.
fn profiles(checked: &Checked) -> impl Iterator<Item = Profile> + '_ {
    let with_body = checked.module().functions.iter().filter(|(_, function)| function.body.is_some());
    with_body.map(|(id, _)| checked.profile(id))
}

/// The program as it runs on the device: without flags of its own, as `pto lower` lowers it.
fn synchronized(args: &TimeArgs, checked: &Checked, program: Program) -> Result<(Program, bool), Failure> {
    if Synchronization::of(program.module(), program.functions()) == Synchronization::Explicit {
        return Ok((program, false));
    }
    let lowered = lower(checked, &LowerOptions::default())?;
    let profile = program.profile();
    let checked = pto::check(lowered.module, Some(profile))?;
    Ok((Program::decode(&checked, args.entry.as_deref())?, true))
}
