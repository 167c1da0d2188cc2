//! Arguments of a call: by position and name, as arrays, scalars, and what follows from them.

use crate::arrays::Array;
use crate::errors::{CallError, DataError, no_such_argument, unfit};
use crate::kernel::Inner;
use crate::launch::stoppable;
use crate::options::{self, Request, is_option};
use crate::ranks;
use crate::shapes;
use pto::analysis::{Parameter, ParameterKind};
use pto::data::{ArgumentLints, Dtype, parse_scalar};
use pto::diag::Diagnostic;
use pto::ir::Scalar;
use pto::sim::{BufferState, Options, Value, measure_ranks};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString, PyTuple};

/// The objects of a call, by argument.
pub(crate) type Objects<'py> = Vec<Option<Bound<'py, PyAny>>>;

/// A launch whose arguments are ready.
pub(crate) struct Prepared<'py> {
    pub(crate) request: Request,
    /// The options of the launch.
    pub(crate) options: Options,
    /// The values of each rank.
    pub(crate) ranks: Vec<Vec<Value>>,
    /// The arrays of each rank, by argument.
    pub(crate) arrays: Vec<Vec<Option<Array<'py>>>>,
    /// Whether what the kernel writes is in an array, by rank and argument; if not, it is a copy that the launch owns.
    pub(crate) in_place: Vec<Vec<bool>>,
    /// The scalars of each rank that are integers.
    pub(crate) scalars: Vec<Vec<Option<i64>>>,
    /// Numbers of the buffers in the outcome of the launch, by rank and argument; empty if all arrays are in place.
    pub(crate) places: Vec<Vec<Option<usize>>>,
}

impl<'py> Prepared<'py> {
    /// Binds the arguments of a call.
    pub(crate) fn of(
        kernel: &Inner,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Prepared<'py>> {
        let mut request = Request::default();
        let given = objects(kernel, args, keywords, &mut |name, value| {
            if is_option(name) { request.set(name, value).map(|()| true) } else { Ok(false) }
        })?;
        let is_source = |value: &Bound<'_, PyAny>| value.is_instance_of::<PyString>();
        if request.spec.ranks > 1 || request.zeros || given.iter().flatten().any(is_source) {
            return ranks::prepare(kernel, py, given, request);
        }
        ranks::check_given(kernel, &given)?;
        let (arrays, scalars) = arrays(kernel, &given)?;
        shapes::check(kernel, &arrays, &scalars)?;
        let mut values = Vec::with_capacity(given.len());
        for (at, parameter) in kernel.interface.parameters.iter().enumerate() {
            values.push(value(parameter, given[at].as_ref(), scalars[at])?);
        }
        let in_place = vec![true; given.len()];
        let mut prepared = Prepared {
            options: request.spec.options(),
            request,
            ranks: vec![values],
            arrays: vec![arrays],
            in_place: vec![in_place],
            scalars: vec![scalars],
            places: Vec::new(),
        };
        let blank = prepared.allocate(kernel, py)?;
        prepared.check_apart(kernel)?;
        prepared.lend(kernel);
        prepared.options.blank = blank.into_iter().map(|at| (0, at)).collect();
        Ok(prepared)
    }

    /// Puts the memory of arrays into the values.
    pub(crate) fn lend(&mut self, kernel: &Inner) {
        for (rank, values) in self.ranks.iter_mut().enumerate() {
            for (at, value) in values.iter_mut().enumerate() {
                let (Some(array), writes) = (&self.arrays[rank][at], kernel.interface.parameters[at].writes)
                else {
                    continue;
                };
                let lent = writes && self.in_place[rank][at];
                *value = Value::Buffer { bytes: if lent { array.lent() } else { array.shared() } };
            }
        }
    }

    /// Allocates the buffers of the only rank that are not given: in the shape that follows from the scalars, else as large
    /// as the program's views reach. Returns their numbers.
    fn allocate(&mut self, kernel: &Inner, py: Python<'py>) -> PyResult<Vec<usize>> {
        let (mut allocated, mut reach) = (Vec::new(), None);
        for (at, parameter) in kernel.interface.parameters.iter().enumerate() {
            let ParameterKind::Buffer(element) = parameter.kind else { continue };
            if self.arrays[0][at].is_some() {
                continue;
            }
            let wanted = kernel.wanted(at, element);
            let shape = match kernel.interface.shape(at, &self.scalars[0]) {
                Some(shape) => shape,
                None => {
                    if reach.is_none() {
                        reach = Some(self.reach(kernel, py)?);
                    }
                    let bytes = reach.as_ref().and_then(|reach| *reach.get(at)?).unwrap_or(0);
                    vec![bytes / pto::data::item_bytes(element) as u64]
                }
            };
            self.arrays[0][at] = Some(Array::zeros(&kernel.format(py, at, element)?, &shape, wanted)?);
            allocated.push(at);
        }
        Ok(allocated)
    }

    /// The bytes that the program's views reach, by argument.
    fn reach(&self, kernel: &Inner, py: Python<'_>) -> PyResult<Vec<Option<u64>>> {
        let known = self.ranks[0].iter().zip(&self.arrays[0]).map(|(value, array)| match array {
            Some(array) => Value::Buffer { bytes: array.shared() },
            None => value.clone(),
        });
        let ranks = vec![known.collect()];
        let mut reach =
            stoppable(py, kernel, &self.options, |options| measure_ranks(&kernel.program, ranks, options))?;
        Ok(reach.pop().unwrap_or_default())
    }

    /// Checks that no array that is written in place shares memory with another argument.
    pub(crate) fn check_apart(&self, kernel: &Inner) -> PyResult<()> {
        let mut arrays: Vec<(&str, bool, &Array<'_>)> = Vec::new();
        for (arrays_of_rank, in_place) in self.arrays.iter().zip(&self.in_place) {
            for (at, parameter) in kernel.interface.parameters.iter().enumerate() {
                let Some(array) = &arrays_of_rank[at] else { continue };
                arrays.push((&parameter.name, parameter.writes && in_place[at], array));
            }
        }
        for (number, (one, writes, array)) in arrays.iter().enumerate() {
            for (other, also, second) in &arrays[..number] {
                if (*writes || *also) && array.overlaps(second) {
                    let message = format!("arguments `{other}` and `{one}` share memory, and one is written");
                    return Err(DataError::new_err(message));
                }
            }
        }
        Ok(())
    }

    /// Lints about arrays that are larger than the kernel's views.
    pub(crate) fn lints(&self, kernel: &Inner) -> Vec<Diagnostic> {
        let found = shapes::lints(kernel, &self.arrays[0], &self.scalars[0]);
        found.into_iter().map(|(_, lint)| lint).collect()
    }

    /// Lints about results that nothing has written, given the buffers of a launch of one rank.
    pub(crate) fn unwritten(&self, kernel: &Inner, buffers: &[BufferState]) -> Vec<Diagnostic> {
        let parameters = kernel.interface.parameters.iter().enumerate();
        let own: Vec<_> =
            parameters.filter(|(_, one)| matches!(one.kind, ParameterKind::Buffer(_))).collect();
        if self.request.spec.ranks > 1 || own.len() != buffers.len() {
            return Vec::new();
        }
        let lints = ArgumentLints::of(&kernel.program, &kernel.interface, &kernel.text.text);
        // An array that the kernel does not use is a result only if there is no other.
        let writes_none = !own.iter().any(|(_, one)| one.writes);
        let all = own.into_iter().zip(buffers);
        let is_blank = |at: usize| self.options.blank.contains(&(0, at));
        let found = all.filter_map(|((at, parameter), buffer)| {
            let is_result = !parameter.reads && (parameter.writes || writes_none && !is_blank(at));
            let is_result = is_result && !buffer.bytes.is_empty();
            let wanted = format!("run.outputs[\"{}\"]", parameter.name);
            if is_result && !buffer.written { lints.unwritten(at, &wanted) } else { None }
        });
        found.collect()
    }

    /// The values, which the launch takes.
    pub(crate) fn take(&mut self) -> Vec<Vec<Value>> {
        std::mem::take(&mut self.ranks)
    }

    /// The arrays that the kernel has written, by name; a list of those of all ranks if there are several.
    pub(crate) fn outputs<'a>(
        &self,
        kernel: &'a Inner,
        py: Python<'py>,
        buffers: Vec<BufferState>,
    ) -> PyResult<Vec<(&'a str, Bound<'py, PyAny>)>> {
        let mut outputs = Vec::new();
        // Another rank may write to a buffer that this program does not write to.
        let place = |rank: usize, at: usize| self.places.get(rank).and_then(|places| places[at]);
        let is_written = |at: usize| {
            let mut places = (0..self.arrays.len()).filter_map(|rank| place(rank, at));
            places.any(|place| buffers.get(place).is_some_and(|buffer| buffer.written))
        };
        for (at, parameter) in kernel.interface.parameters.iter().enumerate() {
            let is_own = self.places.is_empty() || place(0, at).is_some();
            let is_buffer = matches!(parameter.kind, ParameterKind::Buffer(_)) && is_own;
            if !is_buffer || !(parameter.writes || is_written(at)) {
                continue;
            }
            let mut all = Vec::with_capacity(self.arrays.len());
            for rank in 0..self.arrays.len() {
                all.push(match &self.arrays[rank][at] {
                    Some(array) if parameter.writes && self.in_place[rank][at] => array.given.clone(),
                    _ => ranks::result(kernel, py, self, (rank, at), &buffers)?,
                });
            }
            let value =
                if self.request.spec.ranks > 1 { PyList::new(py, all)?.into_any() } else { all.remove(0) };
            outputs.push((parameter.name.as_str(), value));
        }
        Ok(outputs)
    }
}

/// The error for an argument that is not given.
pub(crate) fn missing(name: &str, what: &str) -> PyErr {
    CallError::new_err(format!("argument `{name}` is missing: {what}"))
}

/// The objects of a call by argument. A keyword that names no argument goes to `other`, which says whether it knows it.
pub(crate) fn objects<'py>(
    kernel: &Inner,
    args: &Bound<'py, PyTuple>,
    keywords: Option<&Bound<'py, PyDict>>,
    other: &mut dyn FnMut(&str, &Bound<'py, PyAny>) -> PyResult<bool>,
) -> PyResult<Objects<'py>> {
    let parameters = &kernel.interface.parameters;
    let mut given: Objects<'py> = parameters.iter().map(|_| None).collect();
    if args.len() > kernel.positional.len() {
        let names: Vec<_> = kernel.positional.iter().map(|at| parameters[*at].name.as_str()).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let message = format!("{} arguments are given, but positional ones are {names}", args.len());
        return Err(CallError::new_err(message));
    }
    for (value, at) in args.iter().zip(&kernel.positional) {
        given[*at] = Some(value);
    }
    for (name, value) in keywords.into_iter().flatten() {
        let name = name.cast::<PyString>()?.to_string_lossy();
        match parameters.iter().position(|parameter| parameter.name == name) {
            Some(at) if given[at].is_some() => {
                return Err(CallError::new_err(format!("argument `{name}` is given twice")));
            }
            Some(at) => given[at] = Some(value).filter(|value| !value.is_none()),
            None if other(&name, &value)? => {}
            None => return Err(unknown(kernel, &name)),
        }
    }
    Ok(given)
}

/// The error for a keyword that is neither an argument of the kernel nor an option.
fn unknown(kernel: &Inner, name: &str) -> PyErr {
    let arguments = kernel.interface.parameters.iter().map(|one| one.name.as_str());
    let known: Vec<&str> = arguments.chain(options::NAMES.iter().map(|(option, _)| *option)).collect();
    no_such_argument(&kernel.interface.entry, name, &known)
}

/// The arrays of one rank, by argument, and its integers: those that are given, and those that follow from shapes.
pub(crate) type Arrays<'py> = (Vec<Option<Array<'py>>>, Vec<Option<i64>>);

/// The arrays among the objects of one rank. Texts are left out.
pub(crate) fn arrays<'py>(kernel: &Inner, given: &Objects<'py>) -> PyResult<Arrays<'py>> {
    let parameters = &kernel.interface.parameters;
    let mut arrays: Vec<Option<Array<'py>>> = Vec::with_capacity(given.len());
    let mut shapes = Vec::with_capacity(given.len());
    let mut scalars = Vec::with_capacity(given.len());
    for (at, value) in given.iter().enumerate() {
        let value = value.as_ref().filter(|value| !value.is_instance_of::<PyString>());
        let array = match (parameters[at].kind, value) {
            (ParameterKind::Buffer(element), Some(value)) => {
                Some(Array::of(value, kernel.wanted(at, element))?)
            }
            _ => None,
        };
        let is_scalar = !matches!(parameters[at].kind, ParameterKind::Buffer(_));
        scalars.push(value.filter(|_| is_scalar).and_then(|value| value.extract().ok()));
        shapes.push(array.as_ref().map(|array| array.shape.clone()));
        arrays.push(array);
    }
    kernel.interface.infer(&shapes, &mut scalars);
    Ok((arrays, scalars))
}

/// The value of an argument; an empty buffer for arrays.
pub(crate) fn value(
    parameter: &Parameter,
    given: Option<&Bound<'_, PyAny>>,
    inferred: Option<i64>,
) -> PyResult<Value> {
    match parameter.kind {
        ParameterKind::Launch(_) if given.is_none() => Ok(Value::Launch),
        ParameterKind::Scalar(ty) | ParameterKind::Launch(ty) => {
            scalar(parameter, ty, given, inferred).map(Value::Scalar)
        }
        _ => Ok(Value::buffer(Vec::new())),
    }
}

/// The bits of a scalar: what is given, or what follows from the shapes of arrays.
pub(crate) fn scalar(
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
    let (name, word) = (&parameter.name, ty.word());
    let text = match (given, inferred) {
        (Some(value), _) if value.is_instance_of::<PyBool>() => value.str()?.to_string().to_lowercase(),
        (Some(value), _) => match value.extract::<i64>() {
            Ok(number) => number.to_string(),
            // Beyond i64: the upper half of u64.
            Err(_) if value.extract::<u64>().is_ok() => value.str()?.to_string(),
            Err(_) => {
                let number = value.call_method0("__float__").and_then(|number| Ok(number.str()?.to_string()));
                number.map_err(|_| {
                    let given = value.get_type().name().map(|name| name.to_string()).unwrap_or_default();
                    DataError::new_err(format!(
                        "argument `{name}`: {given} is given, but it is a scalar of type {word}"
                    ))
                })?
            }
        },
        (None, Some(number)) => number.to_string(),
        (None, None) => {
            return Err(CallError::new_err(format!("argument `{name}` of type {word} is missing: {name}=5")));
        }
    };
    parse_scalar(&text, dtype).map_err(|error| unfit(&pto::data::located(name, error)))
}
