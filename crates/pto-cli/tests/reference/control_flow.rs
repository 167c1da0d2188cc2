//! Loops and branches around elementwise arithmetic on 32x32 tiles of f32. A few roundings of values below 32:
//! 1e-5 absolute.

use super::{Expected, Input, product, size, values, whole};

const TOLERANCE: f64 = 1e-5;

/// `arg1` is `arg0` after two rounds of 1.25 or -0.75 and three of 0.5 or -0.25 each (the middle one 0.5), which
/// add up to 0.5. Both buffers are 32x32.
pub(super) fn two_loops(inputs: &[Input]) -> Vec<Expected> {
    let inner: f64 = [-0.25, 0.5, -0.25].iter().sum();
    let added = (1.25 + inner) + (-0.75 + inner);
    vec![whole("arg1", values(inputs, "arg0").iter().map(|x| x + added).collect(), TOLERANCE, 0.0)]
}

/// The first `valid_row` x `valid_col` of `output` (32x32) are a function of `input`: mode 0 doubles, clamps to
/// 4.0001 and adds 1, any other computes x^2 - x/2 - 1. The rest of `output` stays zero.
pub(super) fn branch(inputs: &[Input]) -> Vec<Expected> {
    let limit = f64::from(4.0001_f32);
    let first = size(inputs, "mode") == 0;
    let function = |x: f64| if first { (2.0 * x).clamp(-limit, limit) + 1.0 } else { x * x - 0.5 * x - 1.0 };
    let (rows, columns) = (size(inputs, "valid_row"), size(inputs, "valid_col"));
    let out = masked(values(inputs, "input"), rows, columns, function);
    vec![whole("output", out, TOLERANCE, 0.0)]
}

/// `c_out` (32x32) is half of the product of the left half of `a` (32x64) and the upper half of `b` (64x32).
pub(super) fn mixed(inputs: &[Input]) -> Vec<Expected> {
    let left: Vec<f64> = values(inputs, "a").chunks_exact(64).flat_map(|row| row[..32].to_vec()).collect();
    let out = product(&left, &values(inputs, "b")[..32 * 32], 32, 32);
    vec![whole("c_out", out.iter().map(|x| 0.5 * x).collect(), TOLERANCE, 1e-6)]
}

/// Each 32x32 block x of `input` (64x32) adds x (1 + 1.25 + 1.25^2) / 4 to a sum that starts with the first block;
/// `output` (32x32) is the sum's negative.
pub(super) fn nested(inputs: &[Input]) -> Vec<Expected> {
    let (first, second) = values(inputs, "input").split_at(32 * 32);
    let weight = 0.25 * (1.0 + 1.25 + 1.25 * 1.25);
    let out = first.iter().zip(second).map(|(a, b)| -(a + weight * (a + b))).collect();
    vec![whole("output", out, TOLERANCE, 0.0)]
}

/// `function` of the first `rows` x `columns` of a 32x32 matrix; zero elsewhere.
pub(super) fn masked(matrix: &[f64], rows: usize, columns: usize, function: impl Fn(f64) -> f64) -> Vec<f64> {
    let inside = |i: usize| i / 32 < rows && i % 32 < columns;
    matrix.iter().enumerate().map(|(i, &x)| if inside(i) { function(x) } else { 0.0 }).collect()
}
