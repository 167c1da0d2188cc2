//! Vector addition and its like. One f32 operation per element: half a unit, 2^-24.

use super::{Expected, Input, values, whole};

const ROUNDING: f64 = 6e-8;

/// `arg2 = arg0 + arg1`, element by element.
pub(super) fn add(inputs: &[Input]) -> Vec<Expected> {
    zip(inputs, |a, b| a + b)
}

/// `arg2 = arg0 * arg1`, element by element.
pub(super) fn mul(inputs: &[Input]) -> Vec<Expected> {
    zip(inputs, |a, b| a * b)
}

/// `arg2 = arg0 + arg1`, where `arg1` is a scalar.
pub(super) fn add_scalar(inputs: &[Input]) -> Vec<Expected> {
    let addend = values(inputs, "arg1")[0];
    let sums = values(inputs, "arg0").iter().map(|a| a + addend).collect();
    vec![whole("arg2", sums, 0.0, ROUNDING)]
}

fn zip(inputs: &[Input], op: fn(f64, f64) -> f64) -> Vec<Expected> {
    let (a, b) = (values(inputs, "arg0"), values(inputs, "arg1"));
    let results = a.iter().zip(b).map(|(&a, &b)| op(a, b)).collect();
    vec![whole("arg2", results, 0.0, ROUNDING)]
}
