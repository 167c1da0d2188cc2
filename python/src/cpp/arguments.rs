//! Arguments of a kernel in C++: arrays as pointers to their memory, and numbers.

use super::CppKernel;
use crate::arrays::{Array, Wanted};
use crate::bind::{missing, objects, value};
use crate::errors::DataError;
use crate::options::{Request, is_option};
use pto::analysis::ParameterKind;
use pto::isa::Element;
use pto::sim::Value;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Options of a launch that have no meaning for compiled code, with the reason.
pub(crate) const REFUSED: [(&str, &str); 8] = [
    ("ranks", "the ranks of a launch do not share a process"),
    ("max_steps", "compiled code has no steps"),
    ("schedule", "the order of its instructions is that of the compiled code"),
    ("schedule_seed", "the order of its instructions is that of the compiled code"),
    ("threads", "its cores run one at a time"),
    ("tiles", "its tiles have no names"),
    ("log", "its calls are no lines of a program"),
    ("missing", "nothing says how large a buffer is that is not given"),
];

/// The arguments of a launch.
pub(super) struct Arguments<'py> {
    pub(super) request: Request,
    pub(super) passed: Vec<Passed<'py>>,
}

/// An argument.
pub(super) struct Passed<'py> {
    pub(super) value: Value,
    /// The object that was given as an array, and the number of its buffer.
    pub(super) array: Option<(Bound<'py, PyAny>, usize)>,
}

impl<'py> Arguments<'py> {
    /// Binds the arguments of a call.
    pub(super) fn of(
        kernel: &CppKernel,
        args: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Arguments<'py>> {
        let mut request = Request::default();
        let given = objects(&kernel.inner, args, keywords, &mut |name, value| {
            if let Some((_, reason)) = REFUSED.iter().find(|(refused, _)| *refused == name) {
                return Err(DataError::new_err(format!("{name} is no option of a kernel in C++: {reason}")));
            }
            if is_option(name) { request.set(name, value).map(|()| true) } else { Ok(false) }
        })?;
        let mut buffers = Buffers { kernel, arrays: Vec::new() };
        let mut passed = Vec::new();
        for (at, parameter) in kernel.inner.interface.parameters.iter().enumerate() {
            passed.push(match (parameter.kind, &given[at]) {
                (ParameterKind::Buffer(element), Some(object)) => buffers.pass(at, element, object)?,
                (ParameterKind::Buffer(_), None) if is_none(keywords, &parameter.name)? => NULL,
                (ParameterKind::Buffer(element), None) => {
                    let wanted = buffers.wanted(at, element);
                    return Err(missing(wanted.name, &format!("the kernel takes {}", wanted.text())));
                }
                (_, object) => Passed { value: value(parameter, object.as_ref(), None)?, array: None },
            });
        }
        Ok(Arguments { request, passed })
    }
}

/// A null pointer, which is a number.
const NULL: Passed<'static> = Passed { value: Value::Scalar(0), array: None };

/// Whether a keyword is given as None.
fn is_none(keywords: Option<&Bound<'_, PyDict>>, name: &str) -> PyResult<bool> {
    let given = keywords.map(|keywords| keywords.get_item(name)).transpose()?.flatten();
    Ok(given.is_some_and(|given| given.is_none()))
}

/// The buffers of a launch.
struct Buffers<'k, 'py> {
    kernel: &'k CppKernel,
    /// Number of the argument and array of each; no array for a copy.
    arrays: Vec<(usize, Option<Array<'py>>)>,
}

impl<'k, 'py> Buffers<'k, 'py> {
    /// The argument `at` as one that takes an array in place.
    fn wanted(&self, at: usize, element: Element) -> Wanted<'k> {
        Wanted { written: true, is_open: self.kernel.is_open(at), ..self.kernel.inner.wanted(at, element) }
    }

    /// Passes an object for the argument `at`: the memory of an array, in place.
    fn pass(&mut self, at: usize, element: Element, object: &Bound<'py, PyAny>) -> PyResult<Passed<'py>> {
        if object.is_none() {
            return Ok(NULL);
        }
        let wanted = self.wanted(at, element);
        let next = self.arrays.len();
        let (value, buffer) = match Array::of(object, wanted) {
            // What the kernel only reads may be a copy, where it cannot be lent.
            Err(_) if self.kernel.is_const(at) => {
                let array = Array::of(object, Wanted { written: false, ..wanted })?;
                self.arrays.push((at, None));
                (Value::Buffer { bytes: array.shared() }, next)
            }
            made => {
                let array = made?;
                match self.shared(&array, wanted.name)? {
                    // The buffer of another argument, at its address.
                    Some(buffer) => (Value::Scalar(array.range().start as u64), buffer),
                    None => {
                        let bytes = array.lent();
                        self.arrays.push((at, Some(array)));
                        (Value::Buffer { bytes }, next)
                    }
                }
            }
        };
        Ok(Passed { value, array: Some((object.clone(), buffer)) })
    }

    /// The number of the buffer with the memory of an array. A byte belongs to one buffer, so arrays share all of their memory or none.
    fn shared(&self, array: &Array<'_>, name: &str) -> PyResult<Option<usize>> {
        for (number, (at, other)) in self.arrays.iter().enumerate() {
            let Some(other) = other.as_ref().filter(|other| array.overlaps(other)) else { continue };
            if array.range() == other.range() {
                return Ok(Some(number));
            }
            let first = &self.kernel.inner.interface.parameters[*at].name;
            return Err(DataError::new_err(format!(
                "arguments `{first}` and `{name}` share a part of their memory: they may share all of it, or nothing"
            )));
        }
        Ok(None)
    }
}
