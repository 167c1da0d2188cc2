//! Kernels in C++ where commands take a program: for `pto run`, `pto time`, `pto map`, `pto report`, `pto record` and `pto test`.
//!
//! A command with a C++ source compiles it into a program of its own and runs that ([`program`]). The library in the program runs the
//! command again, with the same arguments, in a process that has the kernel: there the command chooses a function, describes its
//! parameters as a program in text does ([`linked`]), reads its arguments ([`arguments`]), and launches it ([`launch`]).

mod arguments;
mod launch;
mod program;

use super::Status;
use crate::args::{KernelArgs, LaunchArgs, MachineArgs};
use crate::cpp::arguments::is_source;
use crate::linked::{self, Kernels};
use crate::settings::Settings;
pub(super) use launch::{KernelFile, Launched, Linked};
pub(super) use program::Compilation;
pub use program::compile_shared;
use pto::Profile;
use pto::data::DataError;
use std::path::Path;

/// Where a command runs its program.
pub(super) enum Place {
    /// In this process, as a program in text.
    Text,
    /// In this process, which has the kernels.
    Linked(&'static dyn Kernels),
    /// In the program of the kernel, which has ended.
    Ended(Status),
}

/// A flag that has no meaning for compiled code: whether it is given, its name, and the reason.
pub(super) type Refused<'a> = (bool, &'a str, &'a str);

/// The flags of each launch that have no meaning for compiled code.
pub(super) fn refused(launch: &LaunchArgs, machine: Option<&MachineArgs>) -> Vec<Refused<'static>> {
    let several = machine.is_some_and(|machine| machine.ranks > 1);
    vec![
        (several, "--ranks", "the ranks of a launch do not share a process"),
        (
            launch.max_steps.is_some(),
            "--max-steps",
            "compiled code has no steps; `pto run` has --max-seconds",
        ),
    ]
}

/// Says where a program runs. A kernel whose process this is not becomes a program, which runs with the arguments of this process.
///
/// # Errors
/// A flag that is refused; no compiler, or a kernel that does not compile or does not come to its end.
pub(super) fn place(compilation: &Compilation<'_>, refused: &[Refused<'_>]) -> Result<Place, DataError> {
    let Compilation { path, flags, .. } = compilation;
    if !is_source(path) {
        return match flags.cores.is_some() || !flags.compiler.is_empty() {
            true => Err(for_kernels(path)),
            false => Ok(Place::Text),
        };
    }
    if let Some((_, flag, reason)) = refused.iter().find(|(is_given, ..)| *is_given) {
        return Err(DataError::misuse(format!("{flag} cannot be used for a kernel in C++: {reason}")));
    }
    match linked::kernels() {
        Some(kernels) => Ok(Place::Linked(kernels)),
        None => compilation
            .run(|command| {
                command.args(std::env::args_os().skip(1));
                Ok(())
            })
            .map(Place::Ended),
    }
}

fn for_kernels(path: &Path) -> DataError {
    let path = path.display();
    DataError::misuse(format!("{path}: `--cores` and arguments of the compiler are for kernels in C++"))
}

/// The compilation of a source with the settings of its folder.
pub(super) fn compilation<'a>(path: &'a Path, flags: &'a KernelArgs, settings: &Settings) -> Compilation<'a> {
    let target: Option<Profile> = settings.target.or(settings.usual_target);
    Compilation { path, flags, target, max_seconds: None }
}
