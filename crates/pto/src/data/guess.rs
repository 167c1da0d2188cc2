//! Inputs for kernels without a manifest: contents of buffers and values of scalars that let the program run.

use super::{Generator, Given, Source};
use pto_lang::analysis::{Expression, Interface, Parameter, ParameterKind, Role};
use pto_lang::ir::FunctionId;

/// Guessed value of a scalar that is an extent of a view: larger than the tiles of a block, and small enough for a short
/// run.
const EXTENT: i64 = 1024;

/// Smallest guessed extent, used if views with [`EXTENT`] would be larger than [`MOST_ELEMENTS`].
const LEAST_EXTENT: i64 = 128;

/// Maximum number of elements of a view whose extents are guessed: 64 MiB of f32.
const MOST_ELEMENTS: i64 = 1 << 24;

/// The guessed input of a parameter; `None` for one that the launch fills in.
///
/// Extents are large, so that partitions stay inside their views; offsets are 0; other scalars are 1, so that loops run.
/// Floats are random; buffers of integers are zeros, since they may be indices.
pub fn input(interface: &Interface, parameter: &Parameter) -> Option<Given> {
    match parameter.kind {
        ParameterKind::Buffer(element) if element.is_float() => Some(Given::Reached(Generator::Rand)),
        ParameterKind::Buffer(_) => Some(Given::Reached(Generator::Zeros)),
        ParameterKind::Scalar(scalar) => {
            let value = if scalar.is_integer() { scalar_value(interface, parameter) } else { 1 };
            let most = i64::MAX >> (64 - scalar.bits().clamp(2, 64));
            Some(Given::Source(Source::Scalar(value.min(most).to_string())))
        }
        _ => None,
    }
}

fn scalar_value(interface: &Interface, parameter: &Parameter) -> i64 {
    if parameter.has(Role::Extent) || parameter.has(Role::Stride) {
        return extent(interface, parameter);
    }
    if parameter.has(Role::Offset) { 0 } else { 1 }
}

/// The largest of 1024, 512, ... 128 with which no view has more than [`MOST_ELEMENTS`] if it is the only extent that
/// is guessed.
fn extent(interface: &Interface, parameter: &Parameter) -> i64 {
    let mut value = EXTENT;
    while value > LEAST_EXTENT && elements(interface, parameter, value) > MOST_ELEMENTS {
        value /= 2;
    }
    value
}

/// Elements of the largest view, with `value` for the parameter and [`LEAST_EXTENT`] for other scalars.
fn elements(interface: &Interface, parameter: &Parameter, value: i64) -> i64 {
    let known = |function: FunctionId, of| {
        Some(if parameter.values.contains(&(function, of)) { value } else { LEAST_EXTENT })
    };
    let views = interface.parameters.iter().flat_map(|parameter| &parameter.views);
    let size = |shape: &[Expression]| {
        shape
            .iter()
            .filter_map(|extent| extent.evaluate(&known))
            .fold(1i64, |all, one| all.saturating_mul(one.max(1)))
    };
    views.map(|view| size(&view.shape)).max().unwrap_or(0)
}
