//! The Python module `pto_tools._native`: kernels on numpy arrays. `pto_tools/_native.pyi` documents it for users.

mod arrays;
mod bind;
mod builder;
mod command;
mod compare;
mod coverage;
mod cpp;
mod dlpack;
mod errors;
mod findings;
mod formats;
mod kernel;
mod launch;
mod layout;
mod live;
mod lower;
mod options;
mod ranks;
mod run;
mod sequence;
mod session;
mod shapes;
mod signature;
mod text;
mod tile;
mod verify;

use pyo3::prelude::*;

/// Programs of the PTO tile ISA on numpy arrays.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::builder::Building;
    #[pymodule_export]
    use crate::command::{command, expect_clean, flags};
    #[pymodule_export]
    use crate::compare::compare;
    #[pymodule_export]
    use crate::coverage::Coverage;
    #[pymodule_export]
    use crate::cpp::{CppKernel, CppRun, load_cpp};
    #[pymodule_export]
    use crate::errors::{
        CheckError, Deadlock, Error, LaunchConflict, LaunchWarning, MaxSteps, MemoryMisuse, OutOfBounds,
        QueueError, Race, RunError, SyncError, UninitializedRead, no_such,
    };
    #[pymodule_export]
    use crate::findings::{Diagnostic, finding};
    #[pymodule_export]
    use crate::kernel::{Kernel, load, parse, restored};
    #[pymodule_export]
    use crate::layout::{Layout, layout};
    #[pymodule_export]
    use crate::live::Driven;
    #[pymodule_export]
    use crate::lower::{Insertion, Lowered, Memory, lower};
    #[pymodule_export]
    use crate::options::names;
    #[pymodule_export]
    use crate::run::Run;
    #[pymodule_export]
    use crate::sequence::Planned;
    #[pymodule_export]
    use crate::session::{Buffer, Session};
    #[pymodule_export]
    use crate::signature::{Argument, Signature};
    #[pymodule_export]
    use crate::tile::Tile;
    #[pymodule_export]
    use crate::verify::{Example, Verification, verify};
    use pyo3::prelude::*;

    /// Adds the version and the exceptions that have several bases.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::errors::add(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
