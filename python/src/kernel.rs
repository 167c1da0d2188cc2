//! Kernels: programs that are called with arrays.

use crate::arrays::Wanted;
use crate::bind::Prepared;
use crate::errors::{Stage, raised, unfit, unreadable};
use crate::findings::Diagnostic;
use crate::formats;
use crate::launch::launch;
use crate::options::unknown;
use crate::run::{self, Run};
use crate::signature::{Signature, shape_text};
use crate::text::{Text, escaped};
use pto::Program;
use pto::analysis::{Direction, Interface, ParameterKind};
use pto::data::{self, Failure};
use pto::diag;
use pto::isa::{Element, Profile};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Reads and checks the program of a file.
///
/// `entry` names the function to run, where there are several; `target` is the profile to check for, by default that of
/// the program. Raises CheckError for an illegal program, FileNotFound or another FileError for a file that cannot be read.
#[pyfunction]
#[pyo3(signature = (path, *, entry = None, target = None))]
pub(crate) fn load(
    py: Python<'_>,
    path: PathBuf,
    entry: Option<String>,
    target: Option<String>,
) -> PyResult<Kernel> {
    let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
    Kernel::of(py, Text { name: path.display().to_string(), text }, entry, target)
}

/// Checks a program. `name` stands for the file in messages; `entry` and `target` are those of `load`. Raises CheckError for an illegal program.
#[pyfunction]
#[pyo3(signature = (text, *, entry = None, target = None, name = "<text>"))]
pub(crate) fn parse(
    py: Python<'_>,
    text: String,
    entry: Option<String>,
    target: Option<String>,
    name: &str,
) -> PyResult<Kernel> {
    Kernel::of(py, Text { name: name.to_owned(), text }, entry, target)
}

/// A kernel from what it was pickled as.
#[pyfunction]
#[pyo3(name = "_kernel")]
pub(crate) fn restored(
    py: Python<'_>,
    text: String,
    name: String,
    entry: Option<String>,
    target: Option<String>,
) -> PyResult<Kernel> {
    Kernel::of(py, Text { name, text }, entry, target)
}

/// A checked kernel. It pickles as its text.
#[pyclass(frozen, module = "pto_tools")]
pub(crate) struct Kernel {
    pub(crate) inner: Arc<Inner>,
    warnings: Vec<diag::Diagnostic>,
    pub(crate) entry: Option<String>,
    pub(crate) target: Option<String>,
}

/// A program with what calls need to know about it.
pub(crate) struct Inner {
    pub(crate) text: Arc<Text>,
    pub(crate) program: Program,
    pub(crate) interface: Interface,
    /// The arguments that positional ones stand for.
    pub(crate) positional: Vec<usize>,
    /// For each argument, the text of its shape, and the dtype of its arrays.
    slots: Vec<(String, PyOnceLock<Py<PyAny>>)>,
}

/// The profile that a word names.
pub(crate) fn profile(word: Option<&str>) -> PyResult<Option<Profile>> {
    let Some(word) = word else { return Ok(None) };
    let words = || Profile::ALL.map(Profile::word).join(", ");
    Profile::from_word(word).map(Some).ok_or_else(|| unknown("target", word, &words()))
}

/// The exception for a text that is no kernel.
pub(crate) fn failed(py: Python<'_>, failure: Failure, text: &Arc<Text>) -> PyErr {
    match failure {
        Failure::Data(error) => unfit(&error),
        Failure::Program(findings) => raised(py, Stage::Check, &findings, text),
    }
}

impl Inner {
    /// The kernel of a text, and warnings about the text.
    pub(crate) fn of(
        text: Arc<Text>,
        entry: Option<&str>,
        profile: Option<Profile>,
    ) -> Result<(Inner, Vec<diag::Diagnostic>), Failure> {
        let parsed = pto::parse(&text.text)?;
        let checked = pto::check(parsed.module, profile)?;
        let program = Program::decode(&checked, entry)?;
        if program.functions().next().is_none() {
            return Err(data::DataError::new(format!("{} has no function", text.name)).into());
        }
        let interface = program.interface();
        let given = interface.parameters.iter().enumerate().filter(|(_, parameter)| match parameter.kind {
            ParameterKind::Buffer(_) => parameter.direction() != Direction::Out,
            ParameterKind::Scalar(_) => true,
            _ => false,
        });
        let positional = given.map(|(at, _)| at).collect();
        let slots = interface.parameters.iter().map(|one| (shape_text(one), PyOnceLock::new())).collect();
        let warnings = [parsed.lints, checked.warnings().to_vec()].concat();
        Ok((Inner { text, program, interface, positional, slots }, warnings))
    }

    /// The argument `at` as one that takes an array.
    pub(crate) fn wanted(&self, at: usize, element: Element) -> Wanted<'_> {
        let parameter = &self.interface.parameters[at];
        Wanted {
            name: &parameter.name,
            element,
            shape: &self.slots[at].0,
            written: parameter.writes,
            is_open: false,
        }
    }

    /// The dtype of new arrays for the argument `at`.
    pub(crate) fn format<'py>(
        &self,
        py: Python<'py>,
        at: usize,
        element: Element,
    ) -> PyResult<Bound<'py, PyAny>> {
        let format = self.slots[at].1.get_or_try_init(py, || formats::of(py, element).map(Bound::unbind))?;
        Ok(format.bind(py).clone())
    }
}

impl Kernel {
    pub(crate) fn of(
        py: Python<'_>,
        text: Text,
        entry: Option<String>,
        target: Option<String>,
    ) -> PyResult<Kernel> {
        let (text, profile) = (Arc::new(text), profile(target.as_deref())?);
        let made = Inner::of(Arc::clone(&text), entry.as_deref(), profile);
        let (inner, warnings) = made.map_err(|failure| failed(py, failure, &text))?;
        let inner = Arc::new(inner);
        Ok(Kernel { inner, warnings, entry, target })
    }
}

#[pymethods]
impl Kernel {
    /// Arguments: names, formats, shapes, directions.
    #[getter]
    fn signature(&self) -> Signature {
        Signature::of(&self.inner.interface)
    }

    /// The program's text.
    #[getter]
    fn text(&self) -> &str {
        &self.inner.text.text
    }

    /// The file, or the name that was given with the text.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.text.name
    }

    /// The target that the program is checked for.
    #[getter]
    fn target(&self) -> &'static str {
        self.inner.program.profile().word()
    }

    /// Runs the kernel; returns the arrays that it writes: one, or a tuple.
    #[pyo3(signature = (*args, **keywords))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut prepared = Prepared::of(&self.inner, py, args, keywords)?;
        for lint in prepared.lints(&self.inner) {
            run::warn(py, &Diagnostic::of(&lint, &self.inner.text))?;
        }
        let ranks = prepared.take();
        let watched = (&prepared.options, prepared.request.spec.watch_options());
        let report = launch(py, &self.inner, ranks, watched, &mut [])?;
        let mut outputs = prepared.outputs(&self.inner, py, report.outcome.buffers)?;
        match outputs.len() {
            0 => Ok(py.None().into_bound(py)),
            1 => Ok(outputs.remove(0).1),
            _ => Ok(PyTuple::new(py, outputs.into_iter().map(|(_, array)| array))?.into_any()),
        }
    }

    /// Runs the kernel as a call does; returns outputs, findings, coverage, tiles.
    ///
    /// Options:
    /// `grid` or `blocks` (number of blocks, 1), `threads` (0: one per core), `max_steps` (of a block);
    /// `watch` ("all", or words of "race,sync,init,mem"), `max_reports` (most findings of watchers, 20);
    /// `schedule` ("program", "lazy", "eager", "random", "adversarial"), `seed` (of "rand" and "randn"), `schedule_seed` (of the
    /// schedule; by default `seed`);
    /// `sync_inserted` (a compiler adds flags: assume program order);
    /// `uninitialized` ("zero", or "nan": unwritten tiles and outputs start as ones in each bit, NaN in float formats);
    /// `missing` ("error", or "zeros": buffers that the kernel reads may be left out);
    /// `tiles` (tiles to keep, such as ["%sum@42"]), `log` (keep a log), `tconcat_index` ("bytes" or "columns");
    /// `ranks` (number of ranks, 1): then a list gives an argument for each rank, a dict for some ranks, anything else for
    /// all; "rank", "ranks", "comm", "@1" and "@1:window" are the sources of `pto run`; outputs are lists.
    ///
    /// Raises OutOfBounds, Deadlock, MaxSteps or another RunError if the run stops, and DataError for arguments that do not
    /// fit. An exception of a signal handler, such as KeyboardInterrupt, stops the run within about 20 ms.
    #[pyo3(signature = (*args, **keywords))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Run> {
        run::run(py, &self.inner, Prepared::of(&self.inner, py, args, keywords)?)
    }

    /// All findings about the text, for a target: errors, extensions, lints.
    #[pyo3(signature = (*, target = None))]
    fn check(&self, target: Option<&str>) -> PyResult<Vec<Diagnostic>> {
        let text = &self.inner.text;
        let Some(profile) = profile(target)? else { return Ok(Diagnostic::all(&self.warnings, text)) };
        let (module, mut findings) = pto::text::parse_partial(&text.text);
        match pto::check(module, Some(profile)) {
            Ok(checked) => findings.extend(checked.warnings().iter().cloned()),
            Err(errors) => findings.extend(errors),
        }
        Ok(Diagnostic::all(&findings, text))
    }

    /// Median time of a launch with the arguments of a call, in seconds: without Python, for comparison with calls.
    #[pyo3(signature = (launches, *args, **keywords))]
    fn _launch_seconds<'py>(
        &self,
        py: Python<'py>,
        launches: usize,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<f64> {
        let mut prepared = Prepared::of(&self.inner, py, args, keywords)?;
        let mut times = Vec::with_capacity(launches);
        for _ in 0..launches.max(1) {
            prepared.lend(&self.inner);
            let ranks = prepared.ranks.clone();
            let start = Instant::now();
            let outcome = self.inner.program.launch_ranks(ranks, &prepared.options, &mut []);
            times.push(start.elapsed());
            drop(outcome.map_err(|findings| raised(py, Stage::Run, &findings, &self.inner.text))?);
        }
        times.sort_unstable();
        Ok(times[times.len() / 2].as_secs_f64())
    }

    fn __repr__(&self) -> String {
        format!("<Kernel {} of {}>", Signature::of(&self.inner.interface).text(), self.inner.text.name)
    }

    fn _repr_html_(&self) -> String {
        let Text { name, text } = &*self.inner.text;
        format!(
            "{}<details><summary>{}</summary><pre>{}</pre></details>",
            self.signature().html(),
            escaped(name),
            escaped(text)
        )
    }

    #[allow(clippy::type_complexity)]
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (&str, &str, Option<&str>, Option<&str>))> {
        let restore = py.import("pto_tools._native")?.getattr("_kernel")?;
        Ok((restore, (self.text(), self.name(), self.entry.as_deref(), self.target.as_deref())))
    }
}
