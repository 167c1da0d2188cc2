//! Kernels in C++ that are linked or loaded into this process.
//!
//! `pto run kernel.cpp`, and each other command that takes a kernel, compiles the kernel into a program of its own and
//! runs that program, so that a wild pointer of the kernel ends only that program. The program is linked with the library
//! of the C++ headers, which contains this command. The library registers the kernels of the program here, and runs the
//! command again with the same arguments. A process that has the library itself loads kernels instead
//! ([`compile_shared`](crate::commands::compile_shared)).

mod choice;
mod signature;

use crate::render::Joined;
pub use choice::choose;
use pto::Program;
use pto::data::DataError;
use pto::diag::Diagnostic;
use pto::isa::Element;
use pto::observe::{KeepContents, WatchOptions, Watched, Writes};
use pto::sim::{Options, Outcome, Value};
use pto::timeline::Recording;
pub use signature::{Format, signature};
use std::path::Path;
use std::sync::OnceLock;

/// Name that replaces `main` in the source of a kernel, because the program has its own `main`.
pub const RENAMED_MAIN: &str = "pto_main_of_the_source";

/// Name of the text of a kernel's calls among the files of findings. Positions are in this text if debug information does
/// not locate them.
pub const CALLS: &str = "the calls of the kernel";

/// A function that can be launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Name as C++ spells it, such as `add<64>`.
    pub name: String,
    /// Address in this process.
    pub address: usize,
    /// Parameters; `None` if no debug information describes them.
    pub parameters: Option<Vec<Parameter>>,
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name of the parameter; empty if it has none.
    pub name: String,
    /// Type of the parameter.
    pub ty: ParameterType,
    /// Whether the parameter is a pointer to constant data.
    pub is_const: bool,
}

/// The type of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterType {
    /// A pointer to numbers; `None` for `void *` and pointers to anything else.
    Pointer(Option<Element>),
    /// A number.
    Number(Element),
    /// `bool`.
    Bool,
    /// A type that no launch of this command has arguments for, by name.
    Other(String),
}

/// Observations of a launch that a command asks for.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The watchers.
    pub watch: WatchOptions,
    /// Maximum number of recorded steps per core; `None` without a recording.
    pub record: Option<usize>,
    /// Contents of tiles that the recording keeps.
    pub contents: Option<KeepContents>,
    /// Whether to record the writer of each byte of global memory.
    pub writes: bool,
    /// Whether stdout is reserved for a report. Output of the kernel then goes to stderr.
    pub is_report: bool,
}

/// A launch that has ended. Places are in the files, names those of the source.
pub struct Ended {
    /// The outcome, with the buffers of the arguments in their order; or the findings that stopped the launch, and those before.
    pub result: Result<(Outcome, Watched), Vec<Diagnostic>>,
    /// The files that places are in, of which the source of the kernel is the first.
    pub joined: Joined,
    /// The recording, if one was wanted; of a launch that was stopped up to there.
    pub recording: Option<Recording>,
    /// The program of all calls.
    pub program: Program,
    /// The writes to global memory, if they were wanted.
    pub writes: Option<Writes>,
}

/// The kernels of this process.
pub trait Kernels: Sync {
    /// The functions that a source file itself defines and that other files can call, without `main`.
    fn of_source(&self, source: &Path) -> Vec<Kernel>;

    /// The word of the target for which they were compiled.
    fn target(&self) -> &str;

    /// Whether the kernels synchronize their instructions themselves; else a compiler does so on a device.
    fn has_synchronization(&self) -> bool;

    /// Runs a kernel of the source at a path on the values of its parameters. Launches of a process follow each other.
    ///
    /// # Errors
    /// Parameters that cannot be passed on this host.
    fn run(
        &self,
        source: &Path,
        kernel: &Kernel,
        values: Vec<Value>,
        options: &Options,
        wanted: &Wanted,
    ) -> Result<Ended, DataError>;

    /// Runs a kernel repeatedly on the same values, until there are `most` launches or they have taken `longest`
    /// nanoseconds. Returns the nanoseconds of each.
    ///
    /// # Errors
    /// Parameters that cannot be passed on this host; a finding that stops a launch.
    fn time(
        &self,
        source: &Path,
        kernel: &Kernel,
        values: Vec<Value>,
        options: &Options,
        most: usize,
        longest: f64,
    ) -> Result<Vec<f64>, DataError>;
}

static KERNELS: OnceLock<Box<dyn Kernels + Send>> = OnceLock::new();

/// Registers the kernels of this process. Only the first call counts.
pub fn register(kernels: Box<dyn Kernels + Send>) {
    let _ = KERNELS.set(kernels);
}

/// The kernels of this process, if there are any.
pub fn kernels() -> Option<&'static dyn Kernels> {
    KERNELS.get().map(|kernels| &**kernels as &dyn Kernels)
}
