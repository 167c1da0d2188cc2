//! Arguments of launches with several ranks, or with sources such as `"randn"`, as `pto run -i` takes them.

use crate::arrays::Array;
use crate::bind::{self, Objects, Prepared};
use crate::errors::{DataError, Stage, no_such_file, raised, unfit};
use crate::kernel::Inner;
use crate::options::Request;
use crate::shapes;
use pto::analysis::ParameterKind;
use pto::data::{self, Failure, Files, Given, Input, Opened, Source, item_bytes};
use pto::launch::Launch;
use pto::sim::{BufferState, Value};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};
use std::fs::File;
use std::io;
use std::path::Path;

/// The files of the system.
pub(crate) struct Disk;

impl Files for Disk {
    fn open(&self, path: &Path) -> io::Result<Opened> {
        let file = File::open(path)?;
        let known = file.metadata().ok().filter(std::fs::Metadata::is_file);
        Ok(Opened { length: known.map(|known| known.len()), reader: Box::new(file) })
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }
}

/// Binds the arguments of a launch with these objects.
pub(crate) fn prepare<'py>(
    kernel: &Inner,
    py: Python<'py>,
    given: Objects<'py>,
    request: Request,
) -> PyResult<Prepared<'py>> {
    let count = request.spec.ranks as usize;
    let split = if count > 1 { split(kernel, &given, count)? } else { vec![given.clone()] };
    let (mut arrays, mut scalars, mut inputs) = (Vec::new(), Vec::new(), Vec::new());
    for (rank, given) in split.iter().enumerate() {
        let (mut own, integers) = bind::arrays(kernel, given)?;
        if !request.zeros {
            check_given(kernel, given)?;
        }
        shapes::check(kernel, &own, &integers)?;
        allocate(kernel, py, (given, &integers), &mut own)?;
        for (at, array) in own.iter().enumerate() {
            let input = input(kernel, at, (given[at].as_ref(), array.as_ref(), integers[at]))?;
            inputs.extend(input.map(|given| Input { argument: at, rank: Some(rank as u32), given }));
        }
        arrays.push(own);
        scalars.push(integers);
    }
    let Launch { ranks, options, .. } = match request.spec.prepare_with(&kernel.program, &inputs, &Disk) {
        Ok(launch) => launch,
        Err(Failure::Data(error)) => return Err(unfit(&error)),
        Err(Failure::Program(findings)) => return Err(raised(py, Stage::Run, &findings, &kernel.text)),
    };
    // An array that several ranks are given is copied for each: every rank has memory of its own.
    let shared = |at: usize| count > 1 && given[at].as_ref().is_some_and(|value| !is_split(value));
    let in_place = |_| (0..given.len()).map(|at| !shared(at)).collect();
    let mut next = 0..;
    let mut place = |value: &Value| matches!(value, Value::Buffer { .. }).then(|| next.next()).flatten();
    let places = ranks.iter().map(|values| values.iter().map(&mut place).collect()).collect();
    let blank = blank(kernel, &split);
    let in_place = (0..count).map(in_place).collect();
    let options = options.blank(blank);
    let mut prepared = Prepared { request, options, ranks, arrays, in_place, scalars, places };
    prepared.check_apart(kernel)?;
    prepared.lend(kernel);
    Ok(prepared)
}

/// Whether an object has a value for each rank.
fn is_split(value: &Bound<'_, PyAny>) -> bool {
    value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() || value.is_instance_of::<PyDict>()
}

/// The objects of each rank: a list or a tuple has one for each, a dict those of its keys; others are for all ranks.
pub(crate) fn split<'py>(kernel: &Inner, given: &Objects<'py>, count: usize) -> PyResult<Vec<Objects<'py>>> {
    let mut ranks: Vec<Objects<'py>> = vec![vec![None; given.len()]; count];
    for (at, value) in given.iter().enumerate() {
        let (Some(value), name) = (value, &kernel.interface.parameters[at].name) else { continue };
        if let Ok(table) = value.cast::<PyDict>() {
            for (key, value) in table {
                let rank = key.extract::<usize>().ok().filter(|rank| *rank < count).ok_or_else(|| {
                    let key = key.repr().map(|text| text.to_string()).unwrap_or_default();
                    DataError::new_err(format!(
                        "argument `{name}`: {key} is no rank; the launch has 0 to {}",
                        count - 1
                    ))
                })?;
                ranks[rank][at] = Some(value);
            }
        } else if is_split(value) {
            let values: Vec<Bound<'py, PyAny>> = value.try_iter()?.collect::<PyResult<_>>()?;
            if values.len() != count {
                return Err(DataError::new_err(format!(
                    "argument `{name}`: a list of {} is given, but the launch has {count} ranks",
                    values.len()
                )));
            }
            for (objects, value) in ranks.iter_mut().zip(values) {
                objects[at] = Some(value);
            }
        } else {
            ranks.iter_mut().for_each(|objects| objects[at] = Some(value.clone()));
        }
    }
    Ok(ranks)
}

/// Checks that the buffers are given that the kernel reads through views.
pub(crate) fn check_given(kernel: &Inner, given: &Objects<'_>) -> PyResult<()> {
    for (at, parameter) in kernel.interface.parameters.iter().enumerate() {
        let ParameterKind::Buffer(element) = parameter.kind else { continue };
        if given[at].is_none() && parameter.reads && !parameter.views.is_empty() {
            let wanted = kernel.wanted(at, element);
            return Err(bind::missing(wanted.name, &format!("the kernel reads {}", wanted.text())));
        }
    }
    Ok(())
}

/// Allocates the buffers that are only written, as far as their shapes follow from scalars.
fn allocate<'py>(
    kernel: &Inner,
    py: Python<'py>,
    (given, scalars): (&Objects<'py>, &[Option<i64>]),
    arrays: &mut [Option<Array<'py>>],
) -> PyResult<()> {
    for (at, parameter) in kernel.interface.parameters.iter().enumerate() {
        let ParameterKind::Buffer(element) = parameter.kind else { continue };
        if given[at].is_some() || !parameter.writes || parameter.reads {
            continue;
        }
        if let Some(shape) = kernel.interface.shape(at, scalars) {
            let format = kernel.format(py, at, element)?;
            arrays[at] = Some(Array::zeros(&format, &shape, kernel.wanted(at, element))?);
        }
    }
    Ok(())
}

/// The contents of an argument, if they are known.
pub(crate) fn input(
    kernel: &Inner,
    at: usize,
    (object, array, integer): (Option<&Bound<'_, PyAny>>, Option<&Array<'_>>, Option<i64>),
) -> PyResult<Option<Given>> {
    let parameter = &kernel.interface.parameters[at];
    if let Some(text) = object.and_then(|object| object.cast::<PyString>().ok()) {
        let text = text.to_string_lossy();
        let source = Source::parse(&text, &Disk);
        let source = source.map_err(|error| unfit(&data::located(&parameter.name, error)))?;
        if let Some(path) = source.path().filter(|path| !path.exists()) {
            return Err(no_such_file(&parameter.name, path));
        }
        return Ok(Some(Given::Source(source)));
    }
    match parameter.kind {
        ParameterKind::Buffer(element) => {
            let Some(array) = array else { return Ok(None) };
            let shape = array.shape.iter().map(|extent| *extent as usize).collect();
            data::Array::new(element, shape, array.shared())
                .map(|array| Some(Given::Array(array)))
                .map_err(|e| unfit(&e))
        }
        ParameterKind::Scalar(ty) | ParameterKind::Launch(ty) if object.is_some() || integer.is_some() => {
            bind::scalar(parameter, ty, object, integer).map(|bits| Some(Given::Bits(bits)))
        }
        _ => Ok(None),
    }
}

/// The buffers that are not given, by rank and argument.
fn blank(kernel: &Inner, split: &[Objects<'_>]) -> Vec<(u32, usize)> {
    let mut blank = Vec::new();
    for (rank, given) in split.iter().enumerate() {
        for (at, parameter) in kernel.interface.parameters.iter().enumerate() {
            if given[at].is_none() && matches!(parameter.kind, ParameterKind::Buffer(_)) {
                blank.push((rank as u32, at));
            }
        }
    }
    blank
}

/// A buffer that the launch has owned, as a new array.
pub(crate) fn result<'py>(
    kernel: &Inner,
    py: Python<'py>,
    prepared: &Prepared<'py>,
    (rank, at): (usize, usize),
    buffers: &[BufferState],
) -> PyResult<Bound<'py, PyAny>> {
    let ParameterKind::Buffer(element) = kernel.interface.parameters[at].kind else {
        return Ok(py.None().into_bound(py));
    };
    let Some(buffer) = prepared.places.get(rank).and_then(|places| buffers.get(places[at]?)) else {
        return Ok(py.None().into_bound(py));
    };
    let items = (buffer.bytes.len() / item_bytes(element)) as u64;
    let given = prepared.arrays[rank][at].as_ref().map(|array| array.shape.clone());
    let shape = given.or_else(|| buffer.shape.clone()).filter(|shape| shape.iter().product::<u64>() == items);
    let wanted = kernel.wanted(at, element);
    let array = Array::zeros(&kernel.format(py, at, element)?, &shape.unwrap_or(vec![items]), wanted)?;
    array.fill(&buffer.bytes);
    Ok(array.given)
}
