//! Sessions: launches over buffers that persist.

use crate::arrays::{Array, Wanted};
use crate::bind::{self, missing};
use crate::errors::{BusyError, DataError, PlaceError, Stage, no_such_argument, raised, unfit};
use crate::findings::Diagnostic;
use crate::formats;
use crate::kernel::{Inner, Kernel};
use crate::launch::Interrupted;
use crate::options::{Request, is_of_sessions, options_of_sessions};
use crate::text::Text;
use pto::analysis::ParameterKind;
use pto::data::{self, Failure, dtype};
use pto::diag::Span;
use pto::sequence::{self, BufferId, Finding, Findings, Given, Launch, Part};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyTuple};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};

/// A buffer of a session, or consecutive elements of one: `buffer[first:end]`, counted through all dimensions.
#[pyclass(frozen, module = "pto_tools", from_py_object)]
#[derive(Clone)]
pub(crate) struct Buffer {
    session: u64,
    part: Part,
    element: pto::isa::Element,
    whole: Arc<Whole>,
}

/// The whole of a buffer.
struct Whole {
    name: String,
    shape: Vec<u64>,
    array: Py<PyAny>,
}

impl Buffer {
    fn is_whole(&self) -> bool {
        (self.part.first, self.part.end) == (0, self.whole.shape.iter().product::<u64>() as usize)
    }
}

#[pymethods]
impl Buffer {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        &self.whole.name
    }

    /// The word of its format, such as `f32`.
    #[getter]
    fn dtype(&self) -> &'static str {
        dtype::word(self.element)
    }

    /// Its contents, without a copy: launches change them. A part has one dimension.
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = self.whole.array.bind(py).clone();
        if self.is_whole() {
            return Ok(array);
        }
        let flat = array.call_method1("reshape", (-1,))?;
        flat.get_item(PySlice::new(py, self.part.first as isize, self.part.end as isize, 1))
    }

    fn __len__(&self) -> usize {
        self.part.end - self.part.first
    }

    /// Consecutive elements, counted through all dimensions.
    fn __getitem__(&self, range: &Bound<'_, PySlice>) -> PyResult<Buffer> {
        let length = self.__len__();
        let indices = range.indices(length as isize)?;
        if indices.step != 1 || indices.stop < indices.start {
            return Err(PlaceError::new_err("a part has consecutive elements: buffer[first:end]"));
        }
        let (first, end) =
            (self.part.first + indices.start as usize, self.part.first + indices.stop as usize);
        Ok(Buffer { part: Part { first, end, ..self.part }, ..self.clone() })
    }

    #[pyo3(signature = (*args, **keywords))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.array(py)?.call_method("__array__", args, keywords)
    }

    fn __repr__(&self) -> String {
        let Part { first, end, .. } = self.part;
        let range =
            if self.is_whole() { format!("{:?}", self.whole.shape) } else { format!("[{first}:{end}]") };
        format!("<Buffer {}: {}{range}>", self.whole.name, self.dtype())
    }
}

/// Buffers that persist from one launch to the next. `pto_tools.Session` adds groups.
#[pyclass(frozen, subclass, name = "_Session", module = "pto_tools._native")]
pub(crate) struct Session {
    number: u64,
    interrupted: Interrupted,
    state: Mutex<State>,
}

struct State {
    session: sequence::Session,
    texts: Vec<Arc<Text>>,
    findings: Findings,
    /// Name and addresses of each buffer.
    memory: Vec<(String, Range<usize>)>,
}

impl State {
    /// The number of a kernel; kernels with equal texts are one.
    fn kernel(&mut self, text: &Arc<Text>) -> usize {
        let known = self.texts.iter().position(|known| known == text);
        known.unwrap_or_else(|| {
            self.texts.push(Arc::clone(text));
            self.texts.len() - 1
        })
    }
}

/// The findings of launches, then those about several launches, given the texts of the kernels by number.
pub(crate) fn objects(findings: &Findings, across: Vec<Finding>, texts: &[Arc<Text>]) -> Vec<Diagnostic> {
    let place = |kernel: usize, span: Span| {
        let text: &Text = &texts[kernel];
        format!("{}:{}", text.name, text.position(span.start).0)
    };
    let across = across.into_iter().map(|finding| (finding.launch.kernel, finding.noted(place)));
    let launches = findings.iter().map(|(kernel, finding)| (kernel, finding.clone()));
    launches.chain(across).map(|(kernel, finding)| Diagnostic::of(&finding, &texts[kernel])).collect()
}

impl Session {
    fn state(&self) -> PyResult<MutexGuard<'_, State>> {
        match self.state.try_lock() {
            Ok(state) => Ok(state),
            Err(TryLockError::Poisoned(state)) => Ok(state.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(BusyError::new_err("a launch of this session is running in another thread"))
            }
        }
    }

    /// The arguments of a launch.
    fn given(&self, kernel: &Inner, objects: &bind::Objects<'_>) -> PyResult<Vec<Given>> {
        let (mut buffers, mut shapes, mut scalars) = (Vec::new(), Vec::new(), Vec::new());
        for (at, parameter) in kernel.interface.parameters.iter().enumerate() {
            let mut buffer = None;
            if let ParameterKind::Buffer(element) = parameter.kind {
                buffer = Some(self.buffer(kernel.wanted(at, element), objects[at].as_ref())?);
            }
            let shape = buffer.as_ref().filter(|buffer| buffer.is_whole());
            shapes.push(shape.map(|buffer| buffer.whole.shape.clone()));
            let number = objects[at].as_ref().filter(|_| buffer.is_none());
            scalars.push(number.and_then(|value| value.extract().ok()));
            buffers.push(buffer);
        }
        kernel.interface.infer(&shapes, &mut scalars);
        let all = kernel.interface.parameters.iter().zip(buffers).enumerate();
        all.map(|(at, (parameter, buffer))| match (parameter.kind, buffer) {
            (_, Some(buffer)) => Ok(Given::Part(buffer.part)),
            (ParameterKind::Launch(_), None) if objects[at].is_none() => Ok(Given::Fact),
            (ParameterKind::Scalar(ty) | ParameterKind::Launch(ty), None) => {
                bind::scalar(parameter, ty, objects[at].as_ref(), scalars[at]).map(Given::Scalar)
            }
            _ => Err(missing(&parameter.name, "its type is none that a launch can give")),
        })
        .collect()
    }

    fn buffer(&self, wanted: Wanted<'_>, object: Option<&Bound<'_, PyAny>>) -> PyResult<Buffer> {
        let Some(object) = object else {
            return Err(missing(wanted.name, &format!("give {}", wanted.text())));
        };
        let Ok(buffer) = object.extract::<Buffer>() else {
            let (name, given) = (wanted.name, object.get_type().name()?.to_string());
            let message = format!(
                "argument `{name}`: {given} is given; give a buffer: session.buffer(\"{name}\", array)"
            );
            return Err(DataError::new_err(message));
        };
        if buffer.session != self.number {
            let message =
                format!("argument `{}`: `{}` belongs to another session", wanted.name, buffer.whole.name);
            return Err(DataError::new_err(message));
        }
        Ok(buffer)
    }
}

#[pymethods]
impl Session {
    /// A session without buffers. Options are those of `Kernel.run`, except for blocks, ranks, tiles and log.
    #[new]
    #[pyo3(signature = (**options))]
    fn new(options: Option<&Bound<'_, PyDict>>) -> PyResult<Session> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let mut request = Request::default();
        for (name, value) in options.into_iter().flatten() {
            let name: String = name.extract()?;
            if !is_of_sessions(&name) {
                let known: Vec<&str> = options_of_sessions().collect();
                return Err(no_such_argument("Session", &name, &known));
            }
            request.set(&name, &value)?;
        }
        let interrupted = Interrupted::default();
        let options = request.spec.options().control(Some(interrupted.control()));
        let session = sequence::Session::new(options, request.spec.watch_options());
        let state = State { session, texts: Vec::new(), findings: Findings::default(), memory: Vec::new() };
        Ok(Session { number: NUMBER.fetch_add(1, Ordering::Relaxed), interrupted, state: Mutex::new(state) })
    }

    /// Adds a buffer: with the contents of an array, which is used in place, or of zeros.
    #[pyo3(signature = (name, array = None, *, shape = None, dtype = None))]
    fn buffer_of(
        &self,
        py: Python<'_>,
        name: &str,
        array: Option<&Bound<'_, PyAny>>,
        shape: Option<Vec<u64>>,
        dtype: Option<&str>,
    ) -> PyResult<Buffer> {
        let element = match (dtype, array) {
            (Some(word), _) => formats::parse(word)?,
            (None, Some(array)) => formats::element_of(name, array)?,
            (None, None) => {
                return Err(DataError::new_err(format!(
                    "buffer `{name}`: give an array, or shape and dtype"
                )));
            }
        };
        let wanted = Wanted { name, element, shape: "", written: true, is_open: false };
        let known = match (array, shape) {
            (Some(array), None) => Array::of(array, wanted)?,
            (None, Some(shape)) => Array::zeros(&formats::of(py, element)?, &shape, wanted)?,
            _ => return Err(DataError::new_err(format!("buffer `{name}`: give an array, or its shape"))),
        };
        let extents = known.shape.iter().map(|extent| *extent as usize).collect();
        let contents = data::Array::new(element, extents, known.lent()).map_err(|error| unfit(&error))?;
        let mut state = self.state()?;
        if let Some(other) = state.memory.iter().find(|other| known.shares(&other.1)) {
            return Err(DataError::new_err(format!("buffers `{}` and `{name}` share memory", other.0)));
        }
        state.memory.push((name.to_owned(), known.range()));
        let id: BufferId = match array {
            Some(_) => state.session.give(name, contents),
            None => state.session.make_in(name, contents),
        };
        let end = known.shape.iter().product::<u64>() as usize;
        let part = Part { buffer: id, first: 0, end };
        let whole = Whole {
            name: name.to_owned(),
            shape: known.shape.clone(),
            array: known.memory().clone().unbind(),
        };
        Ok(Buffer { session: self.number, part, element, whole: Arc::new(whole) })
    }

    /// Launches a kernel on buffers.
    #[pyo3(signature = (kernel, *args, **keywords))]
    fn launch(
        &self,
        py: Python<'_>,
        kernel: &Kernel,
        args: &Bound<'_, PyTuple>,
        keywords: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let inner = &kernel.inner;
        let (mut blocks, mut name) = (1, inner.interface.entry.clone());
        let objects = bind::objects(inner, args, keywords, &mut |word, value| {
            match word {
                "blocks" | "grid" => blocks = value.extract()?,
                "name" => name = value.extract()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        if blocks == 0 {
            return Err(DataError::new_err("a launch has at least one block"));
        }
        let given = self.given(inner, &objects)?;
        let mut guard = self.state()?;
        let state = &mut *guard;
        let number = state.kernel(&inner.text);
        let launch = Launch { name: name.clone(), program: &inner.program, kernel: number, blocks, given };
        let session = &mut state.session;
        let launched = py.detach(|| session.launch(&launch));
        if let Some(error) = self.interrupted.take() {
            let control = self.interrupted.control();
            session.set_control(control);
            return Err(error);
        }
        match launched {
            Ok((outcome, watched)) => state.findings.add(number, &name, watched.after(&outcome)),
            Err(Failure::Data(error)) => return Err(unfit(&error)),
            Err(Failure::Program(findings)) => {
                let noted = findings.into_iter().map(|one| one.with_note(format!("in launch `{name}`")));
                return Err(raised(py, Stage::Run, &noted.collect::<Vec<_>>(), &inner.text));
            }
        }
        Ok(())
    }

    /// Findings of all launches so far, each once: of watchers, conflicts between launches, buffers written and never read,
    /// except for `results`.
    #[pyo3(signature = (results = Vec::new()))]
    fn findings(&self, results: Vec<Buffer>) -> PyResult<Vec<Diagnostic>> {
        let state = self.state()?;
        let results: Vec<BufferId> = results.iter().map(|buffer| buffer.part.buffer).collect();
        let across = [state.session.conflicts(), state.session.unread(&results)].concat();
        Ok(objects(&state.findings, across, &state.texts))
    }

    fn _begin_group(&self) -> PyResult<()> {
        self.state()?.session.begin_group();
        Ok(())
    }

    fn _next_branch(&self) -> PyResult<()> {
        self.state()?.session.next_branch();
        Ok(())
    }

    fn _end_group(&self) -> PyResult<()> {
        self.state()?.session.end_group();
        Ok(())
    }
}
