//! Timing of kernels in C++, with the flags in their comments.
//!
//! Each kernel is compiled into a program of its own, which runs `pto bench` on this kernel and saves its measurement.

use super::kernels::LONGEST_NS;
use super::measured::quantiles;
use crate::args::{BenchArgs, KernelArgs, RunArgs};
use crate::commands::kernel::{Compilation, KernelFile, Linked};
use crate::commands::read_text;
use crate::commands::sweep::in_comments;
use crate::cpp::rewritten::Temporary;
use crate::files::Disk;
use crate::keys;
use crate::linked::{Kernels, kernels};
use crate::report::BenchReport;
use pto::data::{DataError, Failure};
use std::fs::{self, File};
use std::path::Path;

/// The best and the median time of a kernel in nanoseconds; `None` without flags in its comments.
pub(super) fn time(args: &BenchArgs, path: &Path) -> Result<Option<(f64, f64)>, Failure> {
    let text = read_text(path)?;
    let (target, Some(flags)) = in_comments(&text.text)? else { return Ok(None) };
    let compilation = Compilation {
        path,
        flags: &KernelArgs { cores: flags.kernel.cores, compiler: flags.kernel.compiler.clone() },
        target,
        max_seconds: None,
    };
    match kernels() {
        Some(kernels) => here(args, KernelFile { path, text: &text }, &flags, kernels),
        None => apart(args, &compilation),
    }
    .map(Some)
}

/// Times a kernel that this process has.
fn here(
    args: &BenchArgs,
    file: KernelFile<'_>,
    flags: &RunArgs,
    kernels: &dyn Kernels,
) -> Result<(f64, f64), Failure> {
    let linked = Linked::of(kernels, file, &flags.launch, &flags.expect)?;
    let spec = linked.spec(flags.spec(), &flags.launch.inputs);
    let mut inputs = spec.inputs(linked.program(), &Disk)?;
    let prepared = linked.prepare(&spec, &mut inputs, &[])?;
    Ok(quantiles(linked.time(prepared, args.repeat as usize, LONGEST_NS)?))
}

/// Compiles a kernel, and has its program time it.
fn apart(args: &BenchArgs, compilation: &Compilation<'_>) -> Result<(f64, f64), Failure> {
    let temporary = Temporary::default();
    let folder = temporary.path()?;
    let (saved, errors) = (folder.join("saved"), folder.join("errors"));
    compilation.run(|command| {
        command.args(["bench", "--json", "--save"]).arg(&saved);
        command.args(["--repeat", &args.repeat.to_string()]).arg(compilation.path);
        command.stdout(File::create(folder.join("out"))?).stderr(File::create(&errors)?);
        Ok(())
    })?;
    let report = fs::read(&saved).ok().and_then(|text| keys::read::<BenchReport>(&text).ok());
    match report.and_then(|report| report.figures.into_iter().next()) {
        Some(figure) => Ok((figure.best_ns, figure.median_ns)),
        None => {
            let said = fs::read_to_string(&errors).unwrap_or_default();
            let why = said.split_once(": not timed: ").map_or(&*said, |(_, why)| why);
            Err(DataError::new(why.trim()).into())
        }
    }
}
