//! Exceptions, one for each family of rules.

use crate::findings::Diagnostic;
use crate::text::Text;
use pto::{data, diag};
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;

create_exception!(
    pto_tools,
    Error,
    PyException,
    "What a program does wrong. `rule`, `line`, `element` and `diagnostics` say what and where."
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
create_exception!(pto_tools, DataError, PyValueError, "Arguments that do not fit the kernel.");
create_exception!(
    pto_tools,
    LaunchWarning,
    PyUserWarning,
    "A launch runs, though its arguments suggest a mistake."
);

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
