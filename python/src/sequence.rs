//! Described sequences of launches.

use crate::arrays::{Array, Wanted};
use crate::errors::{DataError, Stage, no_such_argument, raised, unfit, unreadable};
use crate::findings::Diagnostic;
use crate::formats;
use crate::kernel::{Inner, Kernel};
use crate::launch::Interrupted;
use crate::options::{Request, is_of_sessions, options_of_sessions};
use crate::session::objects;
use crate::text::Text;
use pto::data::{self, Failure};
use pto::sequence::{Findings, Launched, Plan, Sequence, Session};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// A sequence of launches with its kernels. `pto_tools.Sequence` is the pleasant side of it.
#[pyclass(frozen, name = "_Sequence", module = "pto_tools._native")]
pub(crate) struct Planned {
    plan: Plan,
    texts: Vec<Arc<Text>>,
}

/// The outputs by name, the findings, and the number of launches.
type Ran = (Py<PyDict>, Vec<Diagnostic>, usize);

#[pymethods]
impl Planned {
    /// The sequence that a table describes; kernels are relative to `folder`.
    #[new]
    #[pyo3(signature = (table, folder, target = None))]
    fn new(
        py: Python<'_>,
        table: &Bound<'_, PyDict>,
        folder: PathBuf,
        target: Option<String>,
    ) -> PyResult<Planned> {
        let sequence = sequence(table)?;
        let (mut texts, mut wrong) = (Vec::new(), None);
        let plan =
            Plan::of(
                &sequence,
                &mut |file, entry| match kernel(py, folder.join(file), entry, target.clone()) {
                    Ok(Inner { text, program, .. }) => {
                        texts.push(text);
                        Ok(program)
                    }
                    Err(error) => {
                        wrong = Some(error);
                        Err(Failure::Program(Vec::new()))
                    }
                },
            );
        match (plan, wrong) {
            (_, Some(error)) => Err(error),
            (Ok(plan), None) => Ok(Planned { plan, texts }),
            (Err(Failure::Data(error)), None) => Err(unfit(&error)),
            (Err(Failure::Program(_)), None) => Err(DataError::new_err("a kernel of the sequence is wrong")),
        }
    }

    /// Name, format and shape of each buffer.
    #[getter]
    fn buffers(&self) -> Vec<(String, &'static str, Vec<usize>)> {
        let buffers = self.plan.buffers.iter();
        buffers
            .map(|(name, element, shape)| (name.clone(), data::dtype::word(*element), shape.clone()))
            .collect()
    }

    /// Names of the buffers that are results.
    #[getter]
    fn results(&self) -> Vec<String> {
        self.plan.results.clone()
    }

    /// Runs it: with the arrays in `given`, by buffer, and options.
    fn run(&self, py: Python<'_>, given: &Bound<'_, PyDict>, options: &Bound<'_, PyDict>) -> PyResult<Ran> {
        let mut request = Request::default();
        for (name, value) in options {
            let name: String = name.extract()?;
            if !is_of_sessions(&name) {
                let mut known: Vec<&str> = self.plan.buffers.iter().map(|(buffer, ..)| &**buffer).collect();
                options_of_sessions().for_each(|option| known.push(option));
                return Err(no_such_argument("run", &name, &known));
            }
            request.set(&name, &value)?;
        }
        let interrupted = Interrupted::default();
        let options = request.spec.options().control(Some(interrupted.control()));
        let mut session = Session::new(options, request.spec.watch_options());
        let arrays = self.given(given)?;
        let (mut findings, mut launches) = (Findings::default(), 0);
        let ran = py.detach(|| {
            self.plan.run(&mut session, arrays, &mut |launched: Launched<'_>| {
                launches += 1;
                findings.add(launched.kernel, launched.name, launched.watched.after(&launched.outcome));
                Ok(())
            })
        });
        if let Some(error) = interrupted.take() {
            return Err(error);
        }
        let buffers = ran.map_err(|stopped| match (stopped.failure, stopped.launch) {
            (Failure::Data(error), _) => unfit(&error),
            (Failure::Program(found), Some((name, kernel))) => {
                let noted = found.into_iter().map(|one| one.with_note(format!("in launch `{name}`")));
                raised(py, Stage::Run, &noted.collect::<Vec<_>>(), &self.texts[kernel])
            }
            (Failure::Program(found), None) => raised(py, Stage::Run, &found, &self.texts[0]),
        })?;
        let results: Vec<_> =
            self.plan.results.iter().filter_map(|name| buffers.get(name)).copied().collect();
        let across = [session.conflicts(), session.unread(&results)].concat();
        let findings = objects(&findings, across, &self.texts);
        let outputs = PyDict::new(py);
        for (name, id) in self.plan.results.iter().zip(results) {
            outputs.set_item(name, array(py, name, &session.array(id))?)?;
        }
        Ok((outputs.unbind(), findings, launches))
    }
}

impl Planned {
    /// The arrays that are given, which launches copy before they write to them.
    fn given(&self, given: &Bound<'_, PyDict>) -> PyResult<BTreeMap<String, data::Array>> {
        let mut arrays = BTreeMap::new();
        for (name, object) in given {
            let name: String = name.extract()?;
            let known = self.plan.buffers.iter().find(|(known, ..)| *known == name);
            let Some((_, element, shape)) = known else {
                return Err(DataError::new_err(format!("the sequence has no buffer `{name}`")));
            };
            let text = format!("{shape:?}");
            let wanted =
                Wanted { name: &name, element: *element, shape: &text, written: false, is_open: false };
            let array = Array::of(&object, wanted)?;
            let extents = array.shape.iter().map(|extent| *extent as usize).collect();
            let array = data::Array::new(*element, extents, array.shared()).map_err(|error| unfit(&error))?;
            arrays.insert(name, array);
        }
        Ok(arrays)
    }
}

/// Contents as a new array.
fn array<'py>(py: Python<'py>, name: &str, contents: &data::Array) -> PyResult<Bound<'py, PyAny>> {
    let element = contents.element();
    let shape: Vec<u64> = contents.shape().iter().map(|extent| *extent as u64).collect();
    let wanted = Wanted { name, element, shape: "", written: false, is_open: false };
    let array = Array::zeros(&formats::of(py, element)?, &shape, wanted)?;
    array.fill(contents.bytes());
    Ok(array.given)
}

fn kernel(py: Python<'_>, path: PathBuf, entry: Option<&str>, target: Option<String>) -> PyResult<Inner> {
    let text = std::fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
    let text = Text { name: path.display().to_string(), text };
    let kernel = Kernel::of(py, text, entry.map(str::to_owned), target)?;
    Arc::try_unwrap(kernel.inner).map_err(|_| DataError::new_err("the kernel is used elsewhere"))
}

/// The sequence that a table describes.
fn sequence(table: &Bound<'_, PyDict>) -> PyResult<Sequence> {
    let read = serde_path_to_error::deserialize(&mut pythonize::Depythonizer::from_object(table));
    read.map_err(|error| {
        let path = error.path().to_string();
        let place = if path == "." { String::new() } else { format!("`{path}` of the sequence: ") };
        DataError::new_err(format!("{place}{}; docs/sequences.md has the keys", error.inner()))
    })
}
