//! Kernels in C++ that are timed.

use super::{Source, Timed, Wanted, most_steps};
use crate::args::TimedArgs;
use crate::commands::beside;
use crate::commands::kernel::{self, Compilation, KernelFile, Launched, Linked, Place};
use crate::device;
use crate::files::Disk;
use crate::linked::{self, Kernels};
use crate::render::SourceText;
use crate::settings::Settings;
use pto::Profile;
use pto::data::{DataError, Failure};
use pto::isa::device::Device;
use pto::observe::KeepContents;
use pto::timeline::{Recording, time};
use std::path::Path;

/// Rows and columns of the pictures of tiles: how many calls a kernel makes is not known before it runs.
const SIDE: usize = 32;

/// Where a program is timed. A kernel is compiled for the device that the flags name.
///
/// # Errors
/// See [`kernel::place`].
pub(super) fn place(args: &TimedArgs, path: &Path, settings: &Settings) -> Result<Place, DataError> {
    let compilation = kernel::compilation(path, &args.kernel, settings);
    let named = args.device.as_deref().filter(|_| settings.target.is_none());
    let target = match named {
        Some(name) => Some(device::find(Some(name), Profile::default())?.profile),
        None => compilation.target,
    };
    let refused = kernel::refused(&args.launch, Some(&args.machine));
    kernel::place(&Compilation { target, ..compilation }, &refused)
}

/// The device of a kernel: the usual one of its target, or that of the flags.
fn device_of(args: &TimedArgs, kernels: &dyn Kernels) -> Result<Device, DataError> {
    let profile = Profile::from_word(kernels.target()).unwrap_or_default();
    let device = match &args.device {
        Some(name) => device::find(Some(name), profile)?,
        None => Device::usual(profile),
    };
    if device.profile == profile {
        return Ok(device);
    }
    let (target, wanted) = (profile.word(), device.profile.word());
    let message = format!("the kernel is compiled for {target}, but {} is a device of {wanted}", device.name);
    Err(DataError::misuse(message).with_help(format!("compile it for the device: `--target {wanted}`")))
}

/// Runs a kernel and times it.
pub(super) fn timed<'a>(
    args: &TimedArgs,
    settings: &Settings,
    source: &'a Source,
    kernels: &dyn Kernels,
    wanted: Wanted,
) -> Result<Timed<'a>, Failure> {
    let Source { text, joined: files, .. } = source;
    let device = device_of(args, kernels)?;
    let launch = beside::completed_flags(text, &args.launch)?;
    let linked = Linked::of(kernels, KernelFile { path: &args.file, text }, &launch, &[])?;
    let spec = TimedArgs { launch: launch.clone(), ..args.clone() }.spec(wanted.usual);
    let spec = linked.spec(spec, &launch.inputs);
    let mut inputs = spec.inputs(linked.program(), &Disk)?;
    let prepared = linked.prepare(&spec, &mut inputs, &[])?;
    let observed = linked::Wanted {
        record: Some(most_steps(args)),
        contents: wanted.contents.map(|(rank, block)| KeepContents { rank, block, side: SIDE }),
        is_report: true,
        ..linked::Wanted::default()
    };
    let Launched { report, joined, recording, program, .. } = linked.run(prepared, &observed)?;
    let joined = files.get_or_init(|| joined);
    let source = SourceText::joined(joined);
    let found = match &report {
        Ok(report) => report.findings(),
        Err(stopped) => stopped.clone(),
    };
    let findings = settings.level(found, joined.text()).findings;
    let Some(mut recording) = recording else { return Err(findings.into()) };
    name_files(&mut recording, &source);
    let timing = time(&recording, &device, wanted.detail)?;
    Ok(Timed {
        text,
        source,
        device,
        program,
        recording,
        timing,
        lowered: false,
        is_automatic: !kernels.has_synchronization(),
        sigil: "",
        warnings: Vec::new(),
        zeros: Vec::new(),
        findings,
    })
}

/// Has operations outside of the source of the kernel name their file.
fn name_files(recording: &mut Recording, source: &SourceText<'_>) {
    for operation in &mut recording.sources {
        let file = source.name_of(Some(operation.span));
        if file != source.name() {
            operation.name = format!("{} ({file})", operation.name);
        }
    }
}
