//! The attention of a Qwen3-32B decode layer: 16 tokens, 8 key heads with 8 query heads each, heads of 128,
//! caches of 4096 positions per token and key head.
//!
//! Between the kernels the data of one token is stored in rows: key head h and key block s (256 positions) own rows h *
//! 256 + s * 16 and the 15 after it, of which 8 hold query heads and 8 are padding.

use super::{BF16, Expected, Input, product, size, to_bf16, values, whole};

const KEY_HEADS: usize = 8;
const GROUP: usize = 8;
const HEAD: usize = 128;
const BLOCK: usize = 256;
const POSITIONS: usize = 4096;

/// Rotates the token `arg10`'s keys (`arg3`, 16x1024) and queries (`arg9`, 16x8192) by `arg4`..`arg7` (cos and sin
/// of the lower 64, then of the upper 64), and stores, as bf16, keys and values (`arg8`, 16x1024) at position
/// `arg11` of the caches `arg1` and `arg2` (524288x128), and queries in `arg0` (2048x128), 8 rows per key head
/// followed by 8 of zeros.
///
/// The rotation is a difference of f32 products that may cancel: 1e-6 absolute beside bf16.
pub(super) fn rope_kv_cache(inputs: &[Input]) -> Vec<Expected> {
    let (token, position) = (size(inputs, "arg10"), size(inputs, "arg11"));
    let keys = &values(inputs, "arg3")[token * KEY_HEADS * HEAD..];
    let cached = &values(inputs, "arg8")[token * KEY_HEADS * HEAD..];
    let queries = &values(inputs, "arg9")[token * KEY_HEADS * GROUP * HEAD..];
    let [cos_low, sin_low, cos_high, sin_high] =
        ["arg4", "arg5", "arg6", "arg7"].map(|name| values(inputs, name));
    let rotate = |head: &[f64]| -> Vec<f64> {
        let (low, high) = head.split_at(HEAD / 2);
        let lower = (0..HEAD / 2).map(|i| low[i] * cos_low[i] - high[i] * sin_low[i]);
        let upper = (0..HEAD / 2).map(|i| high[i] * cos_high[i] + low[i] * sin_high[i]);
        lower.chain(upper).collect()
    };
    let part = |argument, row: usize, values| Expected {
        argument,
        start: row * HEAD,
        values,
        atol: 1e-6,
        rtol: BF16,
    };
    let mut parts = Vec::new();
    for head in 0..KEY_HEADS {
        let row = (token * KEY_HEADS + head) * POSITIONS + position;
        parts.push(part("arg1", row, rotate(&keys[head * HEAD..][..HEAD])));
        parts.push(part("arg2", row, cached[head * HEAD..][..HEAD].to_vec()));
        let group = &queries[head * GROUP * HEAD..][..GROUP * HEAD];
        let mut rotated: Vec<f64> = group.chunks_exact(HEAD).flat_map(rotate).collect();
        rotated.resize(2 * GROUP * HEAD, 0.0);
        parts.push(part("arg0", (token * KEY_HEADS + head) * 2 * GROUP, rotated));
    }
    parts
}

/// `arg1` (2048x256, f32): the scores of the token `arg3`'s queries in `arg0` (2048x128, bf16) and `arg4` blocks of
/// its keys in `arg2` (524288x128, bf16). Rows of other blocks stay zero.
///
/// 128 products of a normal and a uniform value sum up to about 6 and 1e-6.
pub(super) fn qk(inputs: &[Input]) -> Vec<Expected> {
    let (token, blocks) = (size(inputs, "arg3"), size(inputs, "arg4"));
    let (queries, cache) = (values(inputs, "arg0"), values(inputs, "arg2"));
    let mut out = vec![0.0; KEY_HEADS * BLOCK * BLOCK];
    for (head, block) in head_blocks(blocks) {
        let q = &queries[(token * KEY_HEADS + head) * 2 * GROUP * HEAD..][..2 * GROUP * HEAD];
        let keys = cache_block(cache, token, head, block);
        let rows = &mut out[first_row(head, block) * BLOCK..][..2 * GROUP * BLOCK];
        for (q, scores) in q.chunks_exact(HEAD).zip(rows.chunks_exact_mut(BLOCK)) {
            for (key, score) in keys.chunks_exact(HEAD).zip(scores) {
                *score = q.iter().zip(key).map(|(a, b)| a * b).sum();
            }
        }
    }
    vec![whole("arg1", out, 5e-5, 1e-6)]
}

/// From the raw scores `arg3` (2048x256), `arg4` blocks of them, with `arg5` valid positions in all: per row
/// s = score / sqrt(128), the largest s in `arg1`, exp(s - largest) as bf16 in `arg2` (2048x256), 0 beyond the valid
/// positions, and the sum of the rounded exponentials in `arg0`. Rows of `arg0` and `arg1` (1024x1) are
/// h * 128 + s * 8 and the 7 after it.
///
/// A value that rounds the other way changes the sum by 2^-8 of at most one: 5e-3 absolute.
pub(super) fn softmax(inputs: &[Input]) -> Vec<Expected> {
    let (blocks, length) = (size(inputs, "arg4"), size(inputs, "arg5"));
    let raw = values(inputs, "arg3");
    let scale = f64::from(0.088_388_346_f32);
    let mut exponentials = vec![0.0; KEY_HEADS * BLOCK * BLOCK];
    let (mut largest, mut sums) = (vec![0.0; 1024], vec![0.0; 1024]);
    for (head, block) in head_blocks(blocks) {
        let valid = (length - block * BLOCK).min(BLOCK);
        for group in 0..GROUP {
            let start = (first_row(head, block) + group) * BLOCK;
            let scores: Vec<f64> = raw[start..start + valid].iter().map(|s| s * scale).collect();
            let max = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let row = head * HEAD + block * GROUP + group;
            largest[row] = max;
            for (e, s) in exponentials[start..].iter_mut().zip(&scores) {
                *e = (s - max).exp();
                sums[row] += to_bf16(*e);
            }
        }
    }
    vec![
        whole("arg0", sums, 5e-3, 1e-6),
        whole("arg1", largest, 0.0, 1e-7),
        whole("arg2", exponentials, 0.0, BF16),
    ]
}

/// `arg0` (2048x128, f32): the rows of `arg1` (2048x256, bf16) times the `arg3` blocks of the token `arg4`'s values
/// in `arg2` (524288x128, bf16). Rows of other blocks stay zero.
///
/// 256 products of uniform values sum up to 64 without cancelling, so f32 is off by about 256 times 2^-25 of that.
pub(super) fn sv(inputs: &[Input]) -> Vec<Expected> {
    let (blocks, token) = (size(inputs, "arg3"), size(inputs, "arg4"));
    let (exponentials, cache) = (values(inputs, "arg1"), values(inputs, "arg2"));
    let mut out = vec![0.0; KEY_HEADS * BLOCK * HEAD];
    for (head, block) in head_blocks(blocks) {
        let row = first_row(head, block);
        let rows = &exponentials[row * BLOCK..][..2 * GROUP * BLOCK];
        let sums = product(rows, cache_block(cache, token, head, block), BLOCK, HEAD);
        out[row * HEAD..][..sums.len()].copy_from_slice(&sums);
    }
    vec![whole("arg0", out, 1e-5, 1e-5)]
}

/// Joins the `arg4` blocks of each query head, given their outputs `arg0` (2048x128), maxima `arg1` and sums `arg2`
/// (1024x1): `arg3` (1x8192, bf16) is sum(exp(m - M) o) / sum(exp(m - M) l) with M the largest m.
///
/// The sum of outputs may cancel. The error of f32 is then 2^-24 of its terms over the sum of l: 1e-4 covers the smallest
/// such sum.
pub(super) fn online_softmax(inputs: &[Input]) -> Vec<Expected> {
    let blocks = size(inputs, "arg4");
    let [outputs, maxima, sums] = ["arg0", "arg1", "arg2"].map(|name| values(inputs, name));
    let mut out = Vec::new();
    for head in 0..KEY_HEADS {
        for group in 0..GROUP {
            let statistic = |of: &[f64], block| of[head * HEAD + block * GROUP + group];
            let max = (0..blocks).map(|b| statistic(maxima, b)).fold(f64::NEG_INFINITY, f64::max);
            let weights: Vec<f64> = (0..blocks).map(|b| (statistic(maxima, b) - max).exp()).collect();
            let sum: f64 = (0..blocks).map(|b| weights[b] * statistic(sums, b)).sum();
            out.extend((0..HEAD).map(|column| {
                let row = |block| (first_row(head, block) + group) * HEAD + column;
                (0..blocks).map(|b| weights[b] * outputs[row(b)]).sum::<f64>() / sum
            }));
        }
    }
    vec![whole("arg3", out, 1e-4, BF16)]
}

/// Every key head with each of its first `blocks` key blocks.
fn head_blocks(blocks: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..KEY_HEADS).flat_map(move |head| (0..blocks).map(move |block| (head, block)))
}

/// The first of the 16 rows of a key head and key block.
fn first_row(head: usize, block: usize) -> usize {
    head * BLOCK + block * 2 * GROUP
}

/// The 256x128 values of a cache that belong to a token, key head and key block.
fn cache_block(cache: &[f64], token: usize, head: usize, block: usize) -> &[f64] {
    let row = (token * KEY_HEADS + head) * POSITIONS + block * BLOCK;
    &cache[row * HEAD..][..BLOCK * HEAD]
}
