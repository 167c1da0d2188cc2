//! The hand-written attention kernels (`FlashAttention`, `GQA`): f32, heads of 32, queries 32, keys 32.
//!
//! Their "softmax" is not a softmax: the scaled score, clamped to +-4.0001, goes through a Taylor polynomial of the
//! exponential with the constant 1.0001, and is divided by 32.0001. Scores are sums of up to 128 products of normal
//! values, about 11, so 1e-5 off; probabilities are below 2 and change less than 2 per unit of score.

use super::control_flow::masked;
use super::{Expected, Input, optional, product, size, values, whole};

const SCORE: f64 = 5e-5;
const PROBABILITY: f64 = 1e-5;
const OUTPUT: f64 = 2e-5;

/// `scores`, `softmax` and `out` (each 32x32) from `q` (32xK), `kt` (Kx32), `v` (32x32) and, if there, the
/// elementwise `group_scale` (32x32), with the polynomial of degree 4.
pub(super) fn quartic(inputs: &[Input]) -> Vec<Expected> {
    whole_attention(inputs, 4, ["scores", "softmax", "out"])
}

/// Attention with a polynomial of degree 3 in place of [`quartic`]'s.
pub(super) fn cubic(inputs: &[Input]) -> Vec<Expected> {
    whole_attention(inputs, 3, ["scores", "softmax", "out"])
}

/// The attention of [`quartic`], with outputs called `scores_out`, `softmax_out` and `out`.
pub(super) fn intermediate(inputs: &[Input]) -> Vec<Expected> {
    whole_attention(inputs, 4, ["scores_out", "softmax_out", "out"])
}

/// `scores` (32x32) is `q` (32xK) times `kt` (Kx32). With `valid_m`, `valid_k`, `valid_n` only the upper left parts
/// of that size enter, and the rest of `scores` stays zero.
pub(super) fn scores(inputs: &[Input]) -> Vec<Expected> {
    let (q, kt) = (values(inputs, "q"), values(inputs, "kt"));
    let out = match optional(inputs, "valid_m") {
        None => product(q, kt, q.len() / 32, 32),
        Some(_) => {
            let [rows, inner, columns] = ["valid_m", "valid_k", "valid_n"].map(|name| size(inputs, name));
            let q = masked(q, rows, inner, |x| x);
            let kt = masked(kt, inner, columns, |x| x);
            product(&q, &kt, 32, 32)
        }
    };
    vec![whole("scores", out, SCORE, 1e-6)]
}

/// `softmax` (32x32) from `scores` (32x32) and, if there, `group_scale` (32x32): all of it, or the first
/// `valid_row` x `valid_col` while the rest stays zero.
pub(super) fn softmax(inputs: &[Input]) -> Vec<Expected> {
    let out = probabilities(values(inputs, "scores"), optional(inputs, "group_scale"), 4);
    let valid = |name| optional(inputs, name).map_or(32, |value| value[0] as usize);
    let out = masked(&out, valid("valid_row"), valid("valid_col"), |x| x);
    vec![whole("softmax", out, PROBABILITY, 1e-6)]
}

/// `out` (32x32) is `softmax` (32xK) times `v` (Kx32).
pub(super) fn sv(inputs: &[Input]) -> Vec<Expected> {
    let softmax = values(inputs, "softmax");
    vec![whole("out", product(softmax, values(inputs, "v"), softmax.len() / 32, 32), SCORE, 1e-6)]
}

fn whole_attention(inputs: &[Input], degree: u32, names: [&'static str; 3]) -> Vec<Expected> {
    let (q, kt) = (values(inputs, "q"), values(inputs, "kt"));
    let scores = product(q, kt, q.len() / 32, 32);
    let softmax = probabilities(&scores, optional(inputs, "group_scale"), degree);
    let out = product(&softmax, values(inputs, "v"), 32, 32);
    vec![
        whole(names[0], scores, SCORE, 1e-6),
        whole(names[1], softmax, PROBABILITY, 1e-6),
        whole(names[2], out, OUTPUT, 1e-6),
    ]
}

fn probabilities(scores: &[f64], group_scale: Option<&[f64]>, degree: u32) -> Vec<f64> {
    let [scale, limit, constant, divisor] = [0.176_776_7_f32, 4.000_1, 1.000_1, 32.000_1].map(f64::from);
    let coefficients = [0.5_f32, 0.166_666_7, 0.041_666_67].map(f64::from);
    let grouped = |i: usize| group_scale.map_or(1.0, |group| group[i]);
    let probability = |(i, score): (usize, &f64)| {
        let x = (score * grouped(i) * scale).clamp(-limit, limit);
        let powers = (2..=degree as i32).zip(coefficients).map(|(n, c)| c * x.powi(n));
        (constant + x + powers.sum::<f64>()) / divisor
    };
    scores.iter().enumerate().map(probability).collect()
}
