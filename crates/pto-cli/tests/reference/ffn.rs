//! The gated feed-forward kernels (`FFN`): f32, 32 rows, hidden size 32.
//!
//! The gate is a polynomial in place of a sigmoid: x is clamped to +-4.0001, then 1/2 + x/4 - x^n/48. With n = 5 it
//! reaches -21, so the hidden values reach 21 times a projection of about 40: relative errors of 2^-24 grow with these
//! sizes. Projections of normal values over 128 are about 11 and 1e-5 off.

use super::control_flow::masked;
use super::{Expected, Input, product, size, values, whole};

const PROJECTION: f64 = 5e-5;
const HIDDEN: f64 = 2e-4;

/// `h1_s` = `x` `w1`, `h2_s` = `x` `w3`, `h_s` = gate(`h1_s`, n = 3) `h2_s` in its first `valid_row` x `valid_col`
/// and zero elsewhere, `out` = `h_s` `w2`. All 32x32.
pub(super) fn block(inputs: &[Input]) -> Vec<Expected> {
    let [h1, h2] = projections(inputs);
    let (rows, columns) = (size(inputs, "valid_row"), size(inputs, "valid_col"));
    let h = masked(&gated(&h1, &h2, 3), rows, columns, |x| x);
    let out = product(&h, values(inputs, "w2"), 32, 32);
    vec![
        whole("h1_s", h1, PROJECTION, 1e-6),
        whole("h2_s", h2, PROJECTION, 1e-6),
        whole("h_s", h, HIDDEN, 1e-5),
        whole("out", out, 10.0 * HIDDEN, 1e-5),
    ]
}

/// The outputs of [`block`] for `x` 32x128, `w1` and `w3` 128x32, n = 5, and outputs called `act_s` and `y`.
pub(super) fn full_tiled(inputs: &[Input]) -> Vec<Expected> {
    let [h1, h2] = projections(inputs);
    let act = gated(&h1, &h2, 5);
    let y = product(&act, values(inputs, "w2"), 32, 32);
    vec![
        whole("h1_s", h1, PROJECTION, 1e-6),
        whole("h2_s", h2, PROJECTION, 1e-6),
        whole("act_s", act, 25.0 * HIDDEN, 1e-5),
        whole("y", y, 100.0 * HIDDEN, 1e-5),
    ]
}

/// `h1_s` = `x` `w1` and `h2_s` = `x` `w3`, where `x` is 32xK.
pub(super) fn fc1(inputs: &[Input]) -> Vec<Expected> {
    let [h1, h2] = projections(inputs);
    vec![whole("h1_s", h1, PROJECTION, 1e-6), whole("h2_s", h2, PROJECTION, 1e-6)]
}

/// `out` = `h_s` `w2`, all 32x32.
pub(super) fn fc2(inputs: &[Input]) -> Vec<Expected> {
    let out = product(values(inputs, "h_s"), values(inputs, "w2"), 32, 32);
    vec![whole("out", out, PROJECTION, 1e-6)]
}

/// The first `valid_row` x `valid_col` of `h_s` (32x32) are gate(`h1_s`, n = 3) `h2_s`; the rest stays zero.
pub(super) fn act(inputs: &[Input]) -> Vec<Expected> {
    activation(inputs, 3)
}

/// The activation of [`act`] with n = 5.
pub(super) fn act_dynamic(inputs: &[Input]) -> Vec<Expected> {
    activation(inputs, 5)
}

fn activation(inputs: &[Input], degree: i32) -> Vec<Expected> {
    let (rows, columns) = (size(inputs, "valid_row"), size(inputs, "valid_col"));
    let h = gated(values(inputs, "h1_s"), values(inputs, "h2_s"), degree);
    vec![whole("h_s", masked(&h, rows, columns, |x| x), 1e-5, 1e-5)]
}

fn projections(inputs: &[Input]) -> [Vec<f64>; 2] {
    let x = values(inputs, "x");
    ["w1", "w3"].map(|weights| product(x, values(inputs, weights), x.len() / 32, 32))
}

fn gated(h1: &[f64], h2: &[f64], degree: i32) -> Vec<f64> {
    let [limit, factor] = [4.000_1_f32, -0.020_833_33].map(f64::from);
    let gate = |x: f64| {
        let x = x.clamp(-limit, limit);
        0.5 + 0.25 * x + factor * x.powi(degree)
    };
    h1.iter().zip(h2).map(|(&a, &b)| gate(a) * b).collect()
}
