//! Kernels in C++ that are linked into this process.
//!
//! `pto run kernel.cpp` compiles the kernel into a program of its own and runs it, so that a wild pointer of the kernel ends that program only. The
//! program is linked with the library behind the C++ headers, which has this command in it: it registers the kernels of the program
//! here, and runs the command again with the same arguments.

use crate::render::Joined;
use pto::data::DataError;
use pto::diag::Diagnostic;
use pto::isa::Element;
use pto::observe::{WatchOptions, Watched};
use pto::sim::{Options, Outcome, Value};
use std::path::Path;
use std::sync::OnceLock;

/// The name of a `main` in the source of a kernel: the program has another one.
pub const RENAMED_MAIN: &str = "pto_main_of_the_source";

/// A function that can be launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Its name as C++ spells it, such as `add<64>`.
    pub name: String,
    /// Its address in this process.
    pub address: usize,
    /// Its parameters; `None` if no debug information describes them.
    pub parameters: Option<Vec<Parameter>>,
}

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its type.
    pub ty: ParameterType,
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

/// A launch that has ended.
pub struct Ended {
    /// The outcome, with the buffers of the arguments in their order; or the findings that stopped the launch, and those before.
    pub result: Result<(Outcome, Watched), Vec<Diagnostic>>,
    /// The files that the findings point into, of which the source of the kernel is the first.
    pub joined: Joined,
}

/// The kernels of this process.
pub trait Kernels: Sync {
    /// The functions that a source file itself defines and that other files can call, without `main`.
    fn of_source(&self, source: &Path) -> Vec<Kernel>;

    /// The word of the target for which they were compiled.
    fn target(&self) -> &str;

    /// Runs a kernel of the source at a path on the values of its parameters. A process runs one launch. If `is_report`, stdout is for a report,
    /// and what the kernel prints goes to stderr.
    ///
    /// # Errors
    /// Parameters that cannot be passed on this host.
    fn run(
        &self,
        kernel: (&Path, &Kernel),
        values: Vec<Value>,
        options: &Options,
        watch: &WatchOptions,
        is_report: bool,
    ) -> Result<Ended, DataError>;
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
