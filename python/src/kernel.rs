//! Kernels: programs that are called with arrays.

use crate::arrays::Array;
use crate::diagnostics::{DataError, Diagnostic, Stage, Text, raised, unfit};
use crate::options;
use crate::run::Run;
use crate::signature::Signature;
use pto::Program;
use pto::analysis::{Direction, Interface, Parameter, ParameterKind};
use pto::data::{Dtype, parse_scalar};
use pto::diag;
use pto::ir::Scalar;
use pto::isa::Profile;
use pto::sim::{Options, Outcome, Value, Watched, measure_ranks};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyTuple};
use std::path::PathBuf;
use std::sync::Arc;

/// Reads and checks the program of a file.
#[pyfunction]
#[pyo3(signature = (path, *, entry = None, target = None))]
pub(crate) fn load(
    py: Python<'_>,
    path: PathBuf,
    entry: Option<&str>,
    target: Option<&str>,
) -> PyResult<Kernel> {
    let text = std::fs::read_to_string(&path)
        .map_err(|error| pyo3::exceptions::PyOSError::new_err(format!("{}: {error}", path.display())))?;
    Kernel::of(py, Text { name: path.display().to_string(), text }, entry, target)
}

/// Checks a program.
#[pyfunction]
#[pyo3(signature = (text, *, entry = None, target = None, name = "<text>"))]
pub(crate) fn parse(
    py: Python<'_>,
    text: String,
    entry: Option<&str>,
    target: Option<&str>,
    name: &str,
) -> PyResult<Kernel> {
    Kernel::of(py, Text { name: name.to_owned(), text }, entry, target)
}

/// A checked kernel, which is called with arrays.
#[pyclass(frozen, module = "pto_tools")]
pub(crate) struct Kernel {
    text: Arc<Text>,
    program: Program,
    interface: Interface,
    warnings: Vec<diag::Diagnostic>,
    /// The arguments that positional ones stand for.
    positional: Vec<usize>,
}

/// Arguments of a launch.
struct Prepared<'py> {
    /// For each buffer argument, its array.
    arrays: Vec<Option<Array<'py>>>,
    values: Vec<Value>,
    options: Options,
}

fn profile(word: Option<&str>) -> PyResult<Option<Profile>> {
    let Some(word) = word else { return Ok(None) };
    let known = Profile::ALL.into_iter().find(|profile| profile.word() == word);
    let words = || Profile::ALL.map(Profile::word).join(", ");
    known.map(Some).ok_or_else(|| DataError::new_err(format!("target={word:?}: the targets are {}", words())))
}

impl Kernel {
    fn of(py: Python<'_>, text: Text, entry: Option<&str>, target: Option<&str>) -> PyResult<Kernel> {
        let (text, profile) = (Arc::new(text), profile(target)?);
        let wrong = |findings: Vec<_>| raised(py, Stage::Check, &findings, &text);
        let parsed = pto::parse(&text.text).map_err(wrong)?;
        let checked = pto::check(parsed.module, profile).map_err(wrong)?;
        let program = Program::decode(&checked, entry).map_err(wrong)?;
        let functions: Vec<_> = program.functions().collect();
        let interface = Interface::of(program.module(), &functions, program.profile());
        let is_given = |parameter: &Parameter| match parameter.kind {
            ParameterKind::Buffer(_) => parameter.direction() != Direction::Out,
            ParameterKind::Scalar(_) => true,
            _ => false,
        };
        let all = interface.parameters.iter().enumerate();
        let positional = all.filter(|(_, parameter)| is_given(parameter)).map(|(at, _)| at).collect();
        let warnings = [parsed.lints, checked.warnings().to_vec()].concat();
        Ok(Kernel { text, program, interface, warnings, positional })
    }

    /// The arguments of a call, by number, and the options.
    fn given<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Vec<Option<Bound<'py, PyAny>>>, Options)> {
        let parameters = &self.interface.parameters;
        let mut given: Vec<Option<Bound<'py, PyAny>>> = parameters.iter().map(|_| None).collect();
        if args.len() > self.positional.len() {
            let names: Vec<_> = self.positional.iter().map(|at| parameters[*at].name.as_str()).collect();
            let message =
                format!("{} arguments are given, but positional ones are {}", args.len(), names.join(", "));
            return Err(DataError::new_err(message));
        }
        for (value, at) in args.iter().zip(&self.positional) {
            given[*at] = Some(value);
        }
        let mut options = Options::default().watched(Watched::NONE);
        for (name, value) in keywords.into_iter().flatten() {
            let name: String = name.extract()?;
            match parameters.iter().position(|parameter| parameter.name == name) {
                Some(at) if given[at].is_some() => {
                    return Err(DataError::new_err(format!("argument `{name}` is given twice")));
                }
                Some(at) => given[at] = Some(value),
                None if options::is_option(&name) => options = options::set(options, &name, &value)?,
                None => return Err(self.unknown(&name)),
            }
        }
        Ok((given, options))
    }

    fn unknown(&self, name: &str) -> PyErr {
        let names: Vec<_> = self.interface.parameters.iter().map(|one| one.name.as_str()).collect();
        let near = pto::diag::nearest(name, names.iter().copied());
        let hint = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let message = format!(
            "`{}` has no argument `{name}`; {hint}it takes {}",
            self.interface.entry,
            names.join(", ")
        );
        DataError::new_err(message)
    }

    fn prepare<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Prepared<'py>> {
        let (given, options) = self.given(args, keywords)?;
        let parameters = &self.interface.parameters;
        let mut arrays: Vec<Option<Array<'py>>> = Vec::with_capacity(given.len());
        for (parameter, value) in parameters.iter().zip(&given) {
            arrays.push(match (parameter.kind, value) {
                (ParameterKind::Buffer(element), Some(value)) => {
                    Some(Array::of(value, &parameter.name, element, parameter.writes)?)
                }
                _ => None,
            });
        }
        let mut scalars: Vec<Option<i64>> =
            given.iter().map(|value| value.as_ref().and_then(|value| value.extract().ok())).collect();
        let shapes: Vec<_> =
            arrays.iter().map(|array| array.as_ref().map(|array| array.shape.clone())).collect();
        self.interface.infer(&shapes, &mut scalars);
        let mut values = Vec::with_capacity(given.len());
        for (at, parameter) in parameters.iter().enumerate() {
            values.push(match parameter.kind {
                ParameterKind::Launch(_) if given[at].is_none() => Value::Launch,
                ParameterKind::Scalar(ty) | ParameterKind::Launch(ty) => {
                    Value::Scalar(scalar(parameter, ty, given[at].as_ref(), scalars[at])?)
                }
                _ => Value::buffer(Vec::new()),
            });
        }
        let mut prepared = Prepared { arrays, values, options };
        let blank = self.allocate(py, &mut prepared, &scalars)?;
        self.check_apart(&prepared)?;
        for ((array, value), parameter) in prepared.arrays.iter().zip(&mut prepared.values).zip(parameters) {
            if let Some(array) = array {
                *value =
                    Value::Buffer { bytes: if parameter.writes { array.lent() } else { array.shared() } };
            }
        }
        prepared.options = prepared.options.blank(blank.into_iter().map(|at| (0, at)).collect());
        Ok(prepared)
    }

    /// Allocates the buffers that are not given: in the shape that follows from the scalars, else as large as the program's
    /// views reach. Returns their numbers.
    fn allocate<'py>(
        &self,
        py: Python<'py>,
        prepared: &mut Prepared<'py>,
        scalars: &[Option<i64>],
    ) -> PyResult<Vec<usize>> {
        let (mut allocated, mut reach) = (Vec::new(), None);
        for (at, parameter) in self.interface.parameters.iter().enumerate() {
            let ParameterKind::Buffer(element) = parameter.kind else { continue };
            if prepared.arrays[at].is_some() {
                continue;
            }
            if parameter.direction() != Direction::Out && !parameter.views.is_empty() {
                let message = format!("argument `{}` is missing: the kernel reads it", parameter.name);
                return Err(DataError::new_err(message));
            }
            let shape = match self.interface.shape(at, scalars) {
                Some(shape) => shape,
                None => {
                    if reach.is_none() {
                        reach = Some(self.reach(py, prepared)?);
                    }
                    let bytes = reach.as_ref().and_then(|reach| *reach.get(at)?).unwrap_or(0);
                    vec![bytes / pto::data::item_bytes(element) as u64]
                }
            };
            prepared.arrays[at] = Some(Array::zeros(py, &shape, element)?);
            allocated.push(at);
        }
        Ok(allocated)
    }

    /// The bytes that the program's views reach, by argument.
    fn reach(&self, py: Python<'_>, prepared: &Prepared<'_>) -> PyResult<Vec<Option<u64>>> {
        let known = prepared.values.iter().zip(&prepared.arrays).map(|(value, array)| match array {
            Some(array) => Value::Buffer { bytes: array.shared() },
            None => value.clone(),
        });
        let reach = measure_ranks(&self.program, vec![known.collect()], &prepared.options);
        let mut reach = reach.map_err(|findings| raised(py, Stage::Run, &findings, &self.text))?;
        Ok(reach.pop().unwrap_or_default())
    }

    /// Checks that no array that is written shares memory with another argument.
    fn check_apart(&self, prepared: &Prepared<'_>) -> PyResult<()> {
        let named = self.interface.parameters.iter().zip(&prepared.arrays);
        let arrays: Vec<_> =
            named.filter_map(|(parameter, array)| Some((parameter, array.as_ref()?))).collect();
        for (number, (one, array)) in arrays.iter().enumerate() {
            for (other, second) in &arrays[..number] {
                if (one.writes || other.writes) && array.overlaps(second) {
                    let message = format!(
                        "arguments `{}` and `{}` share memory, and one is written",
                        other.name, one.name
                    );
                    return Err(DataError::new_err(message));
                }
            }
        }
        Ok(())
    }

    fn launch(&self, py: Python<'_>, prepared: &mut Prepared<'_>) -> PyResult<Outcome> {
        let (values, options) = (std::mem::take(&mut prepared.values), &prepared.options);
        let outcome = py.detach(|| self.program.launch(values, options));
        outcome.map_err(|findings| raised(py, Stage::Run, &findings, &self.text))
    }

    /// The arrays that the kernel writes, by number.
    fn written<'a, 'py>(
        &'a self,
        prepared: &'a Prepared<'py>,
    ) -> impl Iterator<Item = (&'a str, Bound<'py, PyAny>)> {
        let named = self.interface.parameters.iter().zip(&prepared.arrays);
        named
            .filter(|(parameter, _)| parameter.writes)
            .filter_map(|(parameter, array)| Some((parameter.name.as_str(), array.as_ref()?.object.clone())))
    }
}

/// The bits of a scalar: what is given, or what follows from the shapes of arrays.
fn scalar(
    parameter: &Parameter,
    ty: Scalar,
    given: Option<&Bound<'_, PyAny>>,
    inferred: Option<i64>,
) -> PyResult<u64> {
    let dtype = match ty {
        Scalar::Index => Dtype::Index,
        Scalar::Bool => Dtype::Bool,
        Scalar::Number(element) => Dtype::Number(element),
    };
    let text = match (given, inferred) {
        (Some(value), _) if value.is_instance_of::<PyBool>() => value.str()?.to_string().to_lowercase(),
        (Some(value), _) => match value.extract::<i64>() {
            Ok(number) => number.to_string(),
            // Beyond i64: the upper half of u64.
            Err(_) if value.extract::<u64>().is_ok() => value.str()?.to_string(),
            Err(_) => value.call_method0("__float__")?.str()?.to_string(),
        },
        (None, Some(number)) => number.to_string(),
        (None, None) => {
            let (name, word) = (&parameter.name, ty.word());
            return Err(DataError::new_err(format!("argument `{name}` of type {word} is missing: {name}=5")));
        }
    };
    parse_scalar(&text, dtype).map_err(|error| unfit(&pto::data::located(&parameter.name, error)))
}

#[pymethods]
impl Kernel {
    /// Arguments: names, formats, shapes, directions.
    #[getter]
    fn signature(&self) -> Signature {
        Signature::of(&self.interface)
    }

    /// The program's text.
    #[getter]
    fn text(&self) -> &str {
        &self.text.text
    }

    /// Runs the kernel; returns the arrays that it writes: one, or a tuple.
    #[pyo3(signature = (*args, **keywords))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut prepared = self.prepare(py, args, keywords)?;
        drop(self.launch(py, &mut prepared)?);
        let mut arrays: Vec<_> = self.written(&prepared).map(|(_, array)| array).collect();
        match arrays.len() {
            0 => Ok(py.None().into_bound(py)),
            1 => Ok(arrays.remove(0)),
            _ => Ok(PyTuple::new(py, arrays)?.into_any()),
        }
    }

    /// Runs the kernel; returns outputs, findings and more.
    #[pyo3(signature = (*args, **keywords))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Run> {
        let mut prepared = self.prepare(py, args, keywords)?;
        let outcome = self.launch(py, &mut prepared)?;
        let outputs = PyDict::new(py);
        for (name, array) in self.written(&prepared) {
            outputs.set_item(name, array)?;
        }
        let found = [outcome.warnings, outcome.findings].concat();
        Ok(Run {
            outputs: outputs.unbind(),
            findings: Diagnostic::all(&found, &self.text),
            printed: outcome.printed,
            log: outcome.log.entries().map(|entry| entry.to_string()).collect(),
            instructions: outcome.instructions,
        })
    }

    /// All findings about the text, for a target: errors, extensions, lints.
    #[pyo3(signature = (*, target = None))]
    fn check(&self, target: Option<&str>) -> PyResult<Vec<Diagnostic>> {
        let Some(profile) = profile(target)? else { return Ok(Diagnostic::all(&self.warnings, &self.text)) };
        let (module, mut findings) = pto::text::parse_partial(&self.text.text);
        match pto::check(module, Some(profile)) {
            Ok(checked) => findings.extend(checked.warnings().iter().cloned()),
            Err(errors) => findings.extend(errors),
        }
        Ok(Diagnostic::all(&findings, &self.text))
    }

    fn __repr__(&self) -> String {
        format!("<Kernel {} of {}>", Signature::of(&self.interface).text(), self.text.name)
    }
}
