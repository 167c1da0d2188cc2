//! Exceptions, one for each family of rules.

use crate::findings::Diagnostic;
use crate::text::Text;
use pto::{data, diag};
use pyo3::create_exception;
use pyo3::exceptions::{
    PyAssertionError, PyException, PyFileNotFoundError, PyIndexError, PyOSError, PyRuntimeError, PyTypeError,
    PyUserWarning, PyValueError,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use std::io;
use std::path::Path;
use std::sync::Arc;

create_exception!(
    pto_tools,
    Error,
    PyException,
    "The base of all exceptions of the package. `rule`, `line`, `element` and `diagnostics` say what a program does wrong, and where."
);
create_exception!(pto_tools, CheckError, Error, "The text is no legal program.");
create_exception!(
    pto_tools,
    RunError,
    Error,
    "A rule of the ISA is broken during a run, or the run does not end."
);
create_exception!(pto_tools, OutOfBounds, RunError, "An access outside of a buffer in global memory.");
create_exception!(pto_tools, Deadlock, RunError, "Cores or pipes wait for each other.");
create_exception!(pto_tools, MaxSteps, RunError, "A block has run more steps than `max_steps` allows.");
create_exception!(pto_tools, QueueError, RunError, "A queue between cores is used wrongly.");
create_exception!(pto_tools, Race, Error, "Two accesses that nothing orders.");
create_exception!(pto_tools, SyncError, Error, "A flag or an event is used wrongly.");
create_exception!(pto_tools, UninitializedRead, Error, "A read of memory that nothing has written.");
create_exception!(pto_tools, MemoryMisuse, Error, "Tiles that live at the same time share memory.");
create_exception!(pto_tools, LaunchConflict, Error, "Launches without order access the same bytes.");
create_exception!(
    pto_tools,
    LaunchWarning,
    PyUserWarning,
    "A launch runs, though its arguments suggest a mistake."
);

/// Exceptions that have several bases, which `create_exception!` cannot give them.
macro_rules! with_bases {
    ($($name:ident($($base:ty),+): $doc:literal;)+) => {
        $(
            #[doc = $doc]
            pub(crate) struct $name;

            impl $name {
                /// The type of the exception.
                pub(crate) fn kind(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
                    static KIND: PyOnceLock<Py<PyType>> = PyOnceLock::new();
                    let made = KIND.get_or_try_init(py, || {
                        derived(stringify!($name), $doc, [$(<$base as Kind>::of(py)?),+])
                    });
                    made.map(|kind| kind.bind(py))
                }

                /// The exception with a message, or with several arguments.
                #[allow(dead_code, reason = "Mismatch is raised in Python only")]
                pub(crate) fn new_err(arguments: impl pyo3::PyErrArguments + 'static) -> PyErr {
                    Python::attach(|py| match Self::kind(py) {
                        Ok(kind) => PyErr::from_type(kind.clone(), arguments),
                        Err(error) => error,
                    })
                }
            }

            impl Kind for $name {
                fn of(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
                    Self::kind(py).cloned()
                }
            }
        )+

        /// Adds the exceptions that have several bases to the module, and what those without a finding have as its facts.
        pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
            let py = module.py();
            let base = py.get_type::<Error>();
            for fact in ["rule", "line", "element"] {
                base.setattr(fact, py.None())?;
            }
            base.setattr("diagnostics", PyTuple::empty(py))?;
            $(module.add(stringify!($name), $name::kind(py)?)?;)+
            Ok(())
        }
    };
}

/// An exception as a base of another one.
trait Kind {
    /// Its type.
    fn of(py: Python<'_>) -> PyResult<Bound<'_, PyType>>;
}

/// Exceptions of Python, and the one of `create_exception!`, as bases.
macro_rules! plain {
    ($($name:ty),+) => {
        $(impl Kind for $name {
            fn of(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
                Ok(py.get_type::<$name>())
            }
        })+
    };
}

plain!(
    Error,
    PyAssertionError,
    PyFileNotFoundError,
    PyIndexError,
    PyOSError,
    PyRuntimeError,
    PyTypeError,
    PyValueError
);

with_bases! {
    DataError(Error, PyValueError): "Arguments that do not fit.";
    CallError(DataError, PyTypeError): "An argument or an option that a call does not have, lacks, or is given twice.";
    PlaceError(DataError, PyIndexError): "An index outside of a tile or of a buffer.";
    FileError(Error, PyOSError): "A file that cannot be read.";
    FileNotFound(FileError, PyFileNotFoundError): "A file that does not exist.";
    BusyError(Error, PyRuntimeError): "A session in use by another thread.";
    Mismatch(Error, PyAssertionError): "A result that differs from the expected one.";
}

/// A new exception type of the package.
fn derived<const N: usize>(name: &str, doc: &str, bases: [Bound<'_, PyType>; N]) -> PyResult<Py<PyType>> {
    let py = bases[0].py();
    let facts = PyDict::new(py);
    facts.set_item("__doc__", doc)?;
    facts.set_item("__module__", "pto_tools")?;
    let made = py.get_type::<PyType>().call1((name, PyTuple::new(py, bases)?, facts))?;
    Ok(made.cast_into::<PyType>()?.unbind())
}

/// The exception for a keyword that a call does not have.
pub(crate) fn no_such_argument(call: &str, name: &str, known: &[&str]) -> PyErr {
    let near = pto::diag::nearest(name, known.iter().copied());
    let hint = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
    let known = known.join(", ");
    CallError::new_err(format!("`{call}` has no argument `{name}`; {hint}it takes {known}"))
}

/// The exception for a keyword that a call does not have, for calls in Python.
#[pyfunction]
#[pyo3(name = "_no_such_argument")]
pub(crate) fn no_such(py: Python<'_>, call: &str, name: &str, known: Vec<String>) -> Py<PyAny> {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    no_such_argument(call, name, &known).into_value(py).into_any()
}

/// The exception for an argument whose file does not exist.
pub(crate) fn no_such_file(argument: &str, path: &Path) -> PyErr {
    let error = io::Error::from(io::ErrorKind::NotFound);
    FileNotFound::new_err((2, format!("argument `{argument}`: {error}"), path.display().to_string()))
}

/// The exception for a file that cannot be read.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> PyErr {
    let name = path.display().to_string();
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            let reason = text.split(" (os error").next().unwrap_or(&text).to_owned();
            match error.kind() {
                io::ErrorKind::NotFound => FileNotFound::new_err((number, reason, name)),
                _ => FileError::new_err((number, reason, name)),
            }
        }
        // Such as a file that is not UTF-8.
        None => FileError::new_err(format!("{name}: {error}")),
    }
}

/// The stage that a program fails.
#[derive(Clone, Copy)]
pub(crate) enum Stage {
    Check,
    Run,
}

/// The exception for findings, of which the first error is the reason.
pub(crate) fn raised(py: Python<'_>, stage: Stage, findings: &[diag::Diagnostic], text: &Arc<Text>) -> PyErr {
    first_error(py, stage, Diagnostic::all(findings, text))
        .unwrap_or_else(|| Error::new_err("the program is wrong"))
}

/// The exception for the first error among findings, with all of them; `None` if none is an error.
pub(crate) fn first_error(py: Python<'_>, stage: Stage, objects: Vec<Diagnostic>) -> Option<PyErr> {
    let first = objects.iter().find(|object| object.severity == "error")?;
    let message = first.text();
    let (family, name) = first.rule.split_once("::").unwrap_or(("", &first.rule));
    let error = match (stage, family, name) {
        (Stage::Check, ..) => CheckError::new_err(message),
        (_, "race", _) => Race::new_err(message),
        (_, _, "out-of-bounds") => OutOfBounds::new_err(message),
        (_, _, "deadlock") => Deadlock::new_err(message),
        (_, "sync", _) => SyncError::new_err(message),
        (_, "init", _) => UninitializedRead::new_err(message),
        (_, "mem", _) => MemoryMisuse::new_err(message),
        (_, "queue", _) => QueueError::new_err(message),
        (_, "sequence", _) => LaunchConflict::new_err(message),
        (_, _, "max-steps") => MaxSteps::new_err(message),
        _ => RunError::new_err(message),
    };
    let value = error.value(py);
    let set = value
        .setattr("rule", &first.rule)
        .and_then(|()| value.setattr("line", first.line))
        .and_then(|()| value.setattr("element", first.index(py)))
        .and_then(|()| value.setattr("diagnostics", objects.clone()));
    Some(set.err().unwrap_or(error))
}

/// The exception for arguments that do not fit.
pub(crate) fn unfit(error: &data::DataError) -> PyErr {
    let help = error.help.as_ref().map_or(String::new(), |help| format!("\nhelp: {}", spelled(help)));
    DataError::new_err(format!("{}{help}", error.message))
}

/// A help text as Python spells it: `-i x=randn` is `x="randn"`, `--ranks 2` is `ranks=2`.
pub(crate) fn spelled(help: &str) -> String {
    let mut parts: Vec<String> = help.split('`').map(str::to_owned).collect();
    for part in parts.iter_mut().skip(1).step_by(2) {
        if let Some((name, value)) = part.strip_prefix("-i ").and_then(|rest| rest.split_once('=')) {
            let is_plain = value == "..." || value.parse::<f64>().is_ok();
            let (name, rank) = name.split_once('@').unwrap_or((name, ""));
            let value = if is_plain { value.to_owned() } else { format!("\"{value}\"") };
            *part = match rank {
                "" => format!("{name}={value}"),
                rank => format!("{name}={{{rank}: {value}}}"),
            };
        } else if let Some(flag) = part.strip_prefix("--") {
            *part = flag.replacen(' ', "=", 1).replace('-', "_");
        }
    }
    parts.join("`")
}
