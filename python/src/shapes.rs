//! Shapes of arrays, compared with the views that a kernel makes of them, before anything runs.

use crate::arrays::Array;
use crate::errors::DataError;
use crate::kernel::Inner;
use pto::analysis::ParameterKind;
use pto::data::{ArgumentLints, GivenArray};
use pto::diag::Diagnostic;
use pyo3::prelude::*;

/// The extents as `usize`.
fn sizes(shape: &[u64]) -> Vec<usize> {
    shape.iter().map(|extent| *extent as usize).collect()
}

/// A shape as Python spells it.
fn tuple(shape: &[u64]) -> String {
    let extents: Vec<String> = shape.iter().map(u64::to_string).collect();
    format!("({}{})", extents.join(", "), if shape.len() == 1 { "," } else { "" })
}

/// Lints about arrays of other shapes than the kernel views them in, with the numbers of their arguments.
pub(crate) fn lints(
    kernel: &Inner,
    arrays: &[Option<Array<'_>>],
    scalars: &[Option<i64>],
) -> Vec<(usize, Diagnostic)> {
    let mut found = Vec::new();
    let lints = ArgumentLints::of(&kernel.program, &kernel.interface, &kernel.text.text);
    for (at, array) in arrays.iter().enumerate() {
        let (Some(array), Some(viewed)) = (array, kernel.interface.shape(at, scalars)) else { continue };
        if viewed != array.shape {
            let (shape, viewed) = (sizes(&array.shape), sizes(&viewed));
            let given = GivenArray { argument: at, name: "the array", shape: &shape, viewed: &viewed };
            found.extend(lints.array(&given).map(|lint| (at, lint)));
        }
    }
    found
}

/// Refuses arrays that have fewer elements than the kernel's views, or as many in another order.
pub(crate) fn check(kernel: &Inner, arrays: &[Option<Array<'_>>], scalars: &[Option<i64>]) -> PyResult<()> {
    for (at, array) in arrays.iter().enumerate() {
        let (Some(array), Some(end)) = (array, kernel.interface.elements(at, scalars)) else { continue };
        if array.shape.iter().try_fold(1u64, |product, extent| product.checked_mul(*extent)) < Some(end) {
            return Err(wrong(kernel, (at, array), scalars));
        }
    }
    let reshaped = lints(kernel, arrays, scalars).into_iter().find(|(_, lint)| lint.rule == "launch::shape");
    match reshaped.and_then(|(at, _)| Some((at, arrays[at].as_ref()?))) {
        Some(given) => Err(wrong(kernel, given, scalars)),
        None => Ok(()),
    }
}

/// The error for an array of a shape that does not fit.
fn wrong(kernel: &Inner, (at, array): (usize, &Array<'_>), scalars: &[Option<i64>]) -> PyErr {
    let parameter = &kernel.interface.parameters[at];
    let ParameterKind::Buffer(element) = parameter.kind else {
        return DataError::new_err(format!("argument `{}` is no buffer", parameter.name));
    };
    let wanted = kernel.wanted(at, element);
    let expected = kernel.interface.shape(at, scalars).unwrap_or_default();
    let transposed = array.shape.iter().rev().eq(&expected);
    let help = if transposed { format!("; transpose it: {}.T", wanted.name) } else { String::new() };
    wanted.wrong(format!(
        "an array of shape {} is given, but the kernel takes {} of shape {}{help}",
        tuple(&array.shape),
        wanted.text(),
        tuple(&expected)
    ))
}
