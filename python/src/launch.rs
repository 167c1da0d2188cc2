//! Launches that a signal stops.

use crate::errors::{Stage, raised};
use crate::kernel::Inner;
use pto::diag::Diagnostic;
use pto::launch::{Launch, Report};
use pto::observe::WatchOptions;
use pto::sim::{Control, Observer, Options, Value};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// The exception that a handler of signals has raised during a launch.
#[derive(Clone, Default)]
pub(crate) struct Interrupted(Arc<Mutex<Option<PyErr>>>);

impl Interrupted {
    /// A control that lets Python handle signals about every 20 ms, and stops the launch if a handler raises an exception.
    pub(crate) fn control(&self) -> Arc<Control> {
        let slot = Arc::clone(&self.0);
        Arc::new(Control::asking(move || {
            Python::attach(|py| match py.check_signals() {
                Ok(()) => false,
                Err(error) => {
                    *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    true
                }
            })
        }))
    }

    /// The exception, if there was one.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Runs a program without the GIL, under watchers and other observers.
pub(crate) fn launch<'k>(
    py: Python<'_>,
    kernel: &'k Inner,
    ranks: Vec<Vec<Value>>,
    (options, watch): (&Options, WatchOptions),
    others: &mut [&mut dyn Observer],
) -> PyResult<Report<'k>> {
    stoppable(py, kernel, options, |options| {
        Launch { program: &kernel.program, ranks, options: options.clone(), watch }.run(others)
    })
}

/// Does work without the GIL, with options by which signals stop it.
pub(crate) fn stoppable<T: Send>(
    py: Python<'_>,
    kernel: &Inner,
    options: &Options,
    work: impl FnOnce(&Options) -> Result<T, Vec<Diagnostic>> + Send,
) -> PyResult<T> {
    let interrupted = Interrupted::default();
    let options = options.clone().control(Some(interrupted.control()));
    let result = py.detach(|| work(&options));
    match interrupted.take() {
        Some(error) => Err(error),
        None => result.map_err(|findings| raised(py, Stage::Run, &findings, &kernel.text)),
    }
}
