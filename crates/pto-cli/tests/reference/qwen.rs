//! The projections, norms and activation of a Qwen3-32B decode layer (`Qwen3DecodeA3`, `Qwen3DecodeA5`): 16 tokens,
//! hidden size 8192, 8 key heads of 128, feed-forward size 25600.

use super::{BF16, Expected, Input, size, values, whole};

const HIDDEN: usize = 8192;
const TOKENS: usize = 16;

/// A sum over 8192 of a normal times a uniform or normal value is up to 400, with partial sums of about 90: 90 (the
/// root of 8192) errors of 2^-24 of that are 5e-4; this is four times as much and more.
const SUM: f64 = 4e-3;

/// `arg1` (16x8192, bf16) is `arg0` (16x8192, bf16), each row over the root of its mean square plus 1e-6, times the
/// weights `arg2` (1x8192).
pub(super) fn rmsnorm(inputs: &[Input]) -> Vec<Expected> {
    let weights = values(inputs, "arg2");
    let mut out = Vec::new();
    for row in values(inputs, "arg0").chunks_exact(HIDDEN) {
        let mean = row.iter().map(|x| x * x).sum::<f64>() / HIDDEN as f64;
        let inverse = 1.0 / (mean + f64::from(1e-6_f32)).sqrt();
        out.extend(row.iter().zip(weights).map(|(x, weight)| x * inverse * weight));
    }
    vec![whole("arg1", out, 0.0, BF16)]
}

/// The normalized rows that [`rmsnorm`] gives, of an `arg0` in f32.
pub(super) fn post_rmsnorm(inputs: &[Input]) -> Vec<Expected> {
    rmsnorm(inputs)
}

/// The first 768 columns (three blocks of 256) of `arg2` (16x8192, f32) are `arg0` (16x8192, bf16) times those of
/// `arg1` (8192x8192, bf16); the other columns stay zero.
pub(super) fn q_proj(inputs: &[Input]) -> Vec<Expected> {
    let out = projection(values(inputs, "arg0"), values(inputs, "arg1"), HIDDEN, 3 * 256);
    vec![whole("arg2", out, SUM, 1e-6)]
}

/// `arg3` and `arg4` (16x1024, f32) are `arg0` (16x8192, bf16) times `arg1` and `arg2` (8192x1024, bf16).
pub(super) fn kv_proj(inputs: &[Input]) -> Vec<Expected> {
    let x = values(inputs, "arg0");
    let of = |weights| projection(x, values(inputs, weights), 1024, 1024);
    vec![whole("arg3", of("arg1"), SUM, 1e-6), whole("arg4", of("arg2"), SUM, 1e-6)]
}

/// Every column of `arg2` (16x512, f32) holds the sums of the rows of `arg0` (16x8192, bf16): gate and up
/// projection with weights (8192x25600) of one.
pub(super) fn row_sums(inputs: &[Input]) -> Vec<Expected> {
    let sums = values(inputs, "arg0").chunks_exact(HIDDEN).map(|row| row.iter().sum::<f64>());
    vec![whole("arg2", sums.flat_map(|sum| vec![sum; 512]).collect(), SUM, 1e-6)]
}

/// Output and down projection with weights of one, and their residual connection: 512 columns of `arg0` (16x8192), the
/// first two of 256 each, are those of `arg1` plus the sum of the row of `arg2` (16 rows, bf16). The rest stays zero.
/// A sum of 25600 normal values reaches 640, of which f32 keeps 2^-14.
fn residual(inputs: &[Input], rtol: f64) -> Vec<Expected> {
    let (before, x) = (values(inputs, "arg1"), values(inputs, "arg2"));
    let mut out = vec![0.0; TOKENS * HIDDEN];
    for (row, terms) in x.chunks_exact(x.len() / TOKENS).enumerate() {
        let sum: f64 = terms.iter().sum();
        for column in row * HIDDEN..row * HIDDEN + 512 {
            out[column] = before[column] + sum;
        }
    }
    vec![whole("arg0", out, 2e-2, rtol)]
}

/// The output projection: the residual comes as bf16, the sum leaves as f32.
pub(super) fn out_proj_residual(inputs: &[Input]) -> Vec<Expected> {
    residual(inputs, 1e-6)
}

/// The down projection: the residual comes as f32, the sum leaves as bf16.
pub(super) fn down_proj_residual(inputs: &[Input]) -> Vec<Expected> {
    residual(inputs, BF16)
}

/// 512 columns of `arg2` (16x25600, bf16), from 256 times `arg3` on, are g / (1 + exp(-g)) u with g from `arg0` and
/// u from `arg1` (16x512, f32); the rest stays zero.
pub(super) fn silu(inputs: &[Input]) -> Vec<Expected> {
    let (gate, up) = (values(inputs, "arg0"), values(inputs, "arg1"));
    let first = 256 * size(inputs, "arg3");
    let mut out = vec![0.0; TOKENS * 25600];
    for row in 0..TOKENS {
        for column in 0..512 {
            let (g, u) = (gate[row * 512 + column], up[row * 512 + column]);
            out[row * 25600 + first + column] = g / (1.0 + (-g).exp()) * u;
        }
    }
    vec![whole("arg2", out, 0.0, BF16)]
}

/// `x` (16x8192) times the first `wanted` columns of `weights` (8192 x `columns`), in rows of `columns`, zero beyond.
fn projection(x: &[f64], weights: &[f64], columns: usize, wanted: usize) -> Vec<f64> {
    let mut out = vec![0.0; TOKENS * columns];
    for (row, out_row) in x.chunks_exact(HIDDEN).zip(out.chunks_exact_mut(columns)) {
        for (x, weights) in row.iter().zip(weights.chunks_exact(columns)) {
            for (sum, weight) in out_row.iter_mut().zip(weights).take(wanted) {
                *sum += x * weight;
            }
        }
    }
    out
}
