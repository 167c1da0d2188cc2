//! Results of a run.

use crate::diagnostics::{Diagnostic, Stage, first_error};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What a run left.
#[pyclass(frozen, get_all, module = "pto_tools")]
pub(crate) struct Run {
    /// The arrays that the kernel writes, by argument.
    pub(crate) outputs: Py<PyDict>,
    /// Findings of the watchers, and warnings at run time.
    pub(crate) findings: Vec<Diagnostic>,
    /// Texts that the program printed.
    pub(crate) printed: Vec<String>,
    /// What ran, a line for each entry, with `log=True`.
    pub(crate) log: Vec<String>,
    /// Number of tile instructions that ran.
    pub(crate) instructions: u64,
}

#[pymethods]
impl Run {
    /// Raises the exception for the first finding that is an error, if there is one; returns the run.
    fn expect_clean(slf: Py<Run>, py: Python<'_>) -> PyResult<Py<Run>> {
        match first_error(py, Stage::Run, slf.get().findings.clone()) {
            Some(error) => Err(error),
            None => Ok(slf),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let names: Vec<String> = self.outputs.bind(py).keys().extract()?;
        let findings = self.findings.len();
        Ok(format!("<Run of {} instructions: outputs {names:?}, {findings} findings>", self.instructions))
    }
}
