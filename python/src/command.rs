//! The commands of `pto` as calls. `pto_tools/_commands.py` is the pleasant side of them.

use crate::arrays::Array;
use crate::bind::{self, Objects};
use crate::errors::{Stage, first_error, unfit};
use crate::findings::Diagnostic;
use crate::kernel::{Inner, Kernel};
use crate::launch::abandonable;
use crate::ranks;
use crate::shapes;
use pto::data::{self, npy};
use pto::sim::MAX_RANKS;
use pto_cli::called::{Called, Found, call};
use pto_cli::render::SourceText;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};
use std::path::PathBuf;

/// An argument of a launch as flags have it: `x` or `x@1`, its source, and the file that the source names, if it is in memory.
type Flag<'py> = (String, String, Option<Bound<'py, PyBytes>>);

/// Output of a command: text, JSON, notes, and findings.
type Printed = (String, Option<String>, String, Vec<Diagnostic>);

/// Runs a command on the files of the system and those given, and returns what it printed.
#[pyfunction]
#[pyo3(name = "_command")]
pub(crate) fn command(
    py: Python<'_>,
    words: Vec<String>,
    files: Vec<(PathBuf, Bound<'_, PyBytes>)>,
) -> PyResult<Printed> {
    let files = files.into_iter().map(|(path, bytes)| (path, bytes.as_bytes().into())).collect();
    let (called, _) = abandonable(py, move || call(&words, files))?.map_err(|error| unfit(&error))?;
    let Called { text, json, notes, findings } = called;
    let of = |found: &Found| {
        let source = SourceText::new(&found.name, &found.text);
        found.findings.iter().map(|finding| Diagnostic::joined(finding, &source)).collect::<Vec<_>>()
    };
    Ok((text, json, notes, findings.iter().flat_map(of).collect()))
}

/// Raises the exception for the first finding that is an error, if there is one.
#[pyfunction]
#[pyo3(name = "_expect_clean")]
pub(crate) fn expect_clean(py: Python<'_>, findings: Vec<Diagnostic>) -> PyResult<()> {
    first_error(py, Stage::Run, findings).map_or(Ok(()), Err)
}

/// The arguments of a kernel as flags. They are checked as those of a call.
#[pyfunction]
#[pyo3(name = "_flags", signature = (kernel, ranks, args, keywords))]
pub(crate) fn flags<'py>(
    py: Python<'py>,
    kernel: &Kernel,
    ranks: u32,
    args: &Bound<'py, PyTuple>,
    keywords: &Bound<'py, PyDict>,
) -> PyResult<Vec<Flag<'py>>> {
    let inner = &kernel.inner;
    let given = bind::objects(inner, args, Some(keywords), &mut |_, _| Ok(false))?;
    if ranks <= 1 {
        return of_rank(py, inner, &given, "");
    }
    let split = ranks::split(inner, &given, ranks.min(MAX_RANKS) as usize)?;
    let mut flags = Vec::new();
    for (rank, objects) in split.iter().enumerate() {
        flags.extend(of_rank(py, inner, objects, &format!("@{rank}"))?);
    }
    Ok(flags)
}

/// The arguments of one rank; `suffix` is what follows their names.
fn of_rank<'py>(
    py: Python<'py>,
    kernel: &Inner,
    given: &Objects<'py>,
    suffix: &str,
) -> PyResult<Vec<Flag<'py>>> {
    let (arrays, scalars) = bind::arrays(kernel, given)?;
    shapes::check(kernel, &arrays, &scalars)?;
    let mut flags = Vec::new();
    for (at, parameter) in kernel.interface.parameters.iter().enumerate() {
        let name = format!("{}{suffix}", parameter.name);
        let text = given[at].as_ref().and_then(|object| object.cast::<PyString>().ok());
        let (source, file) = match (text, &arrays[at], &given[at]) {
            (Some(text), ..) => {
                // Checked as that of a call is.
                ranks::input(kernel, at, (given[at].as_ref(), None, None))?;
                (text.to_string_lossy().into_owned(), None)
            }
            (None, Some(array), _) => (format!("<{name}>.npy"), Some(saved(py, kernel, at, array)?)),
            (None, None, Some(object)) => (number(object)?, None),
            (None, None, None) => match scalars[at] {
                Some(number) => (number.to_string(), None),
                None => continue,
            },
        };
        flags.push((name, source, file));
    }
    Ok(flags)
}

/// A scalar as a flag spells it.
fn number(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let text = match object.extract::<bool>() {
        Ok(truth) => return Ok(truth.to_string()),
        Err(_) => object.str()?,
    };
    Ok(text.to_string_lossy().into_owned())
}

/// The `.npy` file of an array.
fn saved<'py>(
    py: Python<'py>,
    kernel: &Inner,
    at: usize,
    array: &Array<'_>,
) -> PyResult<Bound<'py, PyBytes>> {
    let pto::analysis::ParameterKind::Buffer(element) = kernel.interface.parameters[at].kind else {
        return Ok(PyBytes::new(py, &[]));
    };
    let shape = array.shape.iter().map(|extent| *extent as usize).collect();
    let contents = data::Array::new(element, shape, array.shared()).map_err(|error| unfit(&error))?;
    let bytes = [&npy::header(&contents)[..], contents.bytes()].concat();
    Ok(PyBytes::new(py, &bytes))
}
