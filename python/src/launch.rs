//! Launches that a signal stops, and other work that a signal abandons.

use crate::errors::{Stage, raised};
use crate::kernel::Inner;
use pto::diag::Diagnostic;
use pto::launch::{Launch, Report};
use pto::observe::WatchOptions;
use pto::sim::{Control, Observer, Options, Value};
use pyo3::prelude::*;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Time between two looks for signals.
const PERIOD: Duration = Duration::from_millis(20);

/// Stack of a thread that works for a call, in bytes: that of a main thread.
const STACK: usize = 8 << 20;

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

/// Does work on a thread of its own that `control` stops if a handler of signals raises an exception. As [`abandonable`], but the work may use
/// memory of Python: it ends soon after.
pub(crate) fn on_a_thread<T: Send + 'static>(
    py: Python<'_>,
    control: &Control,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    abandonable(py, work).inspect_err(|_| control.stop())
}

/// Does work that nothing can stop on a thread of its own, and lets Python handle signals every [`PERIOD`]. If a handler raises an
/// exception, the call ends with it; the thread ends when its work is done, and its result is dropped.
///
/// The work holds no memory of Python that the caller may change afterwards.
pub(crate) fn abandonable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let worker = thread::Builder::new().name("pto".to_owned()).stack_size(STACK).spawn(move || {
        // Nobody takes the result of abandoned work.
        let _ = sender.send(work());
    })?;
    // A receiver is not `Sync`, which waiting without the GIL asks for.
    let receiver = Mutex::new(receiver);
    let wait = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PERIOD);
    loop {
        match py.detach(wait) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("a worker that ends without a panic has sent its result"),
            },
        }
    }
}
