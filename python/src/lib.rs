//! The Python module `pto_tools._native`: kernels on numpy arrays. `pto_tools/__init__.pyi` documents it for users.

mod arrays;
mod diagnostics;
mod kernel;
mod options;
mod run;
mod signature;

use pyo3::prelude::*;

/// Programs of the PTO tile ISA on numpy arrays.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::diagnostics::{
        CheckError, DataError, Deadlock, Diagnostic, Error, OutOfBounds, Race, RunError,
    };
    #[pymodule_export]
    use crate::kernel::{Kernel, load, parse};
    #[pymodule_export]
    use crate::run::Run;
    #[pymodule_export]
    use crate::signature::{Argument, Signature};
    use pyo3::prelude::*;

    /// Sets the version.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
