//! Kernels in C++, compiled and loaded into this process.
//!
//! The extension has the library that kernels call (`pto-c`), and a kernel is linked with the extension itself. Arguments are bound as those of
//! programs in text, by a program that has the signature of the kernel; buffers are the memory of arrays, in place.

pub(crate) mod arguments;

use crate::errors::{CheckError, DataError, Stage, first_error, unfit, unreadable};
use crate::findings::Diagnostic;
use crate::kernel::{Inner, failed, profile};
use crate::launch::on_a_thread;
use crate::options::unknown;
use crate::signature::Signature;
use crate::text::{Text, escaped};
use arguments::Arguments;
use pto::isa::Element;
use pto::sim::{Control, Outcome};
use pto_cli::args::{Cores, KernelArgs};
use pto_cli::commands::{Loader, compile_shared};
use pto_cli::linked::{Ended, Format, Kernel, Kernels, ParameterType, Wanted, choose, signature};
use pto_cli::render::SourceText;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;

/// A kernel in C++ that `pto_tools.cpp.load` has compiled and loaded. It pickles as the arguments of that call, and is compiled again.
#[pyclass(frozen, module = "pto_tools")]
pub(crate) struct CppKernel {
    kernels: Arc<dyn Kernels + Send>,
    kernel: Kernel,
    inner: Inner,
    given: Given,
}

/// The arguments of a load, by which a kernel is pickled: absolute path, `entry`, `target`, `cores`, `flags`.
type Given = (PathBuf, Option<String>, Option<String>, Option<String>, Vec<String>);

/// What a launch left.
struct Launched<'k, 'py> {
    outcome: Outcome,
    findings: Vec<Diagnostic>,
    /// The arrays that the kernel has written, by argument.
    outputs: Vec<(&'k str, Bound<'py, PyAny>)>,
}

/// Compiles a kernel in C++ and loads it. `places` are the folder of the headers and the file of this extension.
#[pyfunction]
#[pyo3(name = "_load_cpp")]
pub(crate) fn load_cpp(
    py: Python<'_>,
    path: PathBuf,
    places: (PathBuf, PathBuf),
    entry: Option<String>,
    target: Option<String>,
    cores: Option<String>,
    flags: Vec<String>,
) -> PyResult<CppKernel> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
    // The current folder may be another one at a launch.
    let given = (std::path::absolute(&path)?, entry.clone(), target.clone(), cores.clone(), flags.clone());
    let profile = profile(target.as_deref())?;
    let compiler = flags.into_iter().map(Into::into).collect();
    let flags = KernelArgs { cores: cores.as_deref().map(kind).transpose()?, compiler };
    let (headers, library) = places;
    let loader = Loader { headers, library };
    let loaded = py.detach(|| compile_shared(&path, profile, &flags, &loader, pto_c::loaded::load));
    let kernels: Arc<dyn Kernels + Send> = Arc::new(loaded.map_err(|error| match error.misuse {
        true => unfit(&error),
        false => CheckError::new_err(error.message),
    })?);
    let kernel = choose(kernels.of_source(&path), entry.as_deref(), &name, &text);
    let kernel = kernel.map_err(|error| unfit(&error))?;
    // Pointers that say no format are read as bytes.
    let bytes = |_: usize, _: &str| Format { named: None, of_data: Some(Element::U8) };
    let described = signature(&kernel, &bytes).map_err(|error| unfit(&error))?;
    let described = Arc::new(Text { name, text: described });
    let made = Inner::of(Arc::clone(&described), None, pto::Profile::from_word(kernels.target()));
    let (mut inner, _) = made.map_err(|failure| failed(py, failure, &described))?;
    inner.positional = (0..inner.interface.parameters.len()).collect();
    inner.interface.entry.clone_from(&kernel.name);
    Ok(CppKernel { kernels, kernel, inner, given })
}

/// The kind of cores that a word names.
fn kind(word: &str) -> PyResult<Cores> {
    match word {
        "vector" => Ok(Cores::Vector),
        "cube" => Ok(Cores::Cube),
        "mixed" => Ok(Cores::Mixed),
        _ => Err(unknown("cores", word, "vector, cube and mixed")),
    }
}

impl CppKernel {
    /// Whether the argument `at` is an array of any format: a pointer to bytes may point to anything.
    fn is_open(&self, at: usize) -> bool {
        let ty = self.kernel.parameters.as_ref().and_then(|all| all.get(at)).map(|parameter| &parameter.ty);
        matches!(ty, Some(ParameterType::Pointer(None | Some(Element::U8 | Element::I8))))
    }

    /// Whether the kernel only reads the argument `at`.
    fn is_const(&self, at: usize) -> bool {
        self.kernel
            .parameters
            .as_ref()
            .and_then(|all| all.get(at))
            .is_some_and(|parameter| parameter.is_const)
    }

    /// Launches the kernel.
    fn launch<'py>(&self, py: Python<'py>, arguments: Arguments<'py>) -> PyResult<Launched<'_, 'py>> {
        let Arguments { request, passed } = arguments;
        let (values, arrays): (Vec<_>, Vec<_>) = passed.into_iter().map(|one| (one.value, one.array)).unzip();
        let control = Arc::new(Control::default());
        let options = request.spec.options().control(Some(Arc::clone(&control)));
        let observed = Wanted { watch: request.spec.watch_options(), ..Wanted::default() };
        let (kernels, kernel, path) = (Arc::clone(&self.kernels), self.kernel.clone(), self.given.0.clone());
        let ended =
            on_a_thread(py, &control, move || kernels.run(&path, &kernel, values, &options, &observed))?;
        let Ended { result, joined, .. } = ended.map_err(|error| unfit(&error))?;
        let text = SourceText::joined(&joined);
        let objects = |found: &[pto::diag::Diagnostic]| -> Vec<Diagnostic> {
            found.iter().map(|finding| Diagnostic::joined(finding, &text)).collect()
        };
        let (outcome, watched) = result.map_err(|found| {
            let error = first_error(py, Stage::Run, objects(&found));
            error.unwrap_or_else(|| DataError::new_err("the launch was stopped"))
        })?;
        let mut outputs = Vec::new();
        for (parameter, array) in self.inner.interface.parameters.iter().zip(arrays) {
            let Some((array, buffer)) = array else { continue };
            if outcome.buffers.get(buffer).is_some_and(|buffer| buffer.written) {
                outputs.push((parameter.name.as_str(), array));
            }
        }
        Ok(Launched { outcome, findings: objects(&watched.findings), outputs })
    }
}

#[pymethods]
impl CppKernel {
    /// Arguments: names and formats, by debug information; "any" for `void *` and pointers to bytes.
    #[getter]
    fn signature(&self) -> Signature {
        Signature::of(&self.inner.interface).compiled(|at| self.is_open(at))
    }

    /// The file.
    #[getter]
    fn name(&self) -> &str {
        &self.inner.text.name
    }

    /// The target for which it was compiled.
    #[getter]
    fn target(&self) -> &str {
        self.kernels.target()
    }

    /// Runs the kernel; returns the arrays that it has written: one, or a tuple.
    #[pyo3(signature = (*args, **keywords))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Launched { mut outputs, .. } = self.launch(py, Arguments::of(self, args, keywords)?)?;
        match outputs.len() {
            0 => Ok(py.None().into_bound(py)),
            1 => Ok(outputs.remove(0).1),
            _ => Ok(PyTuple::new(py, outputs.into_iter().map(|(_, array)| array))?.into_any()),
        }
    }

    /// Runs the kernel as a call does; returns outputs and findings.
    ///
    /// Options, as those of `Kernel.run`: `grid` or `blocks`, `watch`, `max_reports`, `seed`, `sync_inserted`, `uninitialized`,
    /// `tconcat_index`.
    ///
    /// Raises OutOfBounds, Deadlock or another RunError if a finding stops the run, and DataError for arguments that do not fit. An
    /// exception of a signal handler, such as KeyboardInterrupt, stops it at its next instruction. A launch waits for one of another thread.
    /// A wild pointer ends the process, and so does an exception of the kernel.
    #[pyo3(signature = (*args, **keywords))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<CppRun> {
        let launched = self.launch(py, Arguments::of(self, args, keywords)?)?;
        let outputs = PyDict::new(py);
        for (name, array) in launched.outputs {
            outputs.set_item(name, array)?;
        }
        Ok(CppRun {
            outputs: outputs.unbind(),
            findings: launched.findings,
            printed: launched.outcome.printed,
            instructions: launched.outcome.instructions,
        })
    }

    fn __repr__(&self) -> String {
        format!("<CppKernel {} of {}>", self.signature().text(), self.name())
    }

    fn _repr_html_(&self) -> String {
        format!("{}<div>{}</div>", self.signature().html(), escaped(self.name()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Given)> {
        Ok((py.import("pto_tools.cpp")?.getattr("_loaded")?, self.given.clone()))
    }
}

/// What a run of a kernel in C++ left.
#[pyclass(frozen, get_all, module = "pto_tools")]
pub(crate) struct CppRun {
    /// The arrays that the kernel has written, by argument.
    outputs: Py<PyDict>,
    /// Findings of the watchers, with the lines of the source.
    findings: Vec<Diagnostic>,
    /// Texts that instructions printed, such as TPRINT. What the kernel prints by `printf` goes to stdout.
    printed: Vec<String>,
    /// Number of tile instructions that ran.
    instructions: u64,
}

#[pymethods]
impl CppRun {
    /// Raises the exception for the first finding that is an error, if there is one; returns the run.
    fn expect_clean(slf: Py<CppRun>, py: Python<'_>) -> PyResult<Py<CppRun>> {
        match first_error(py, Stage::Run, slf.get().findings.clone()) {
            Some(error) => Err(error),
            None => Ok(slf),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let names: Vec<String> = self.outputs.bind(py).keys().extract()?;
        let findings = self.findings.len();
        Ok(format!("<CppRun of {} instructions: outputs {names:?}, {findings} findings>", self.instructions))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let findings: String = self.findings.iter().map(Diagnostic::html).collect();
        Ok(format!("<div>{}</div>{findings}", escaped(&self.__repr__(py)?)))
    }
}
