//! Kernels that only move values: every comparison is exact.

use super::{Expected, Input, optional, size, values, whole};

/// `arg2` (32x32) is `arg0` (32x16) beside `arg1` (32x16).
pub(super) fn concat(inputs: &[Input]) -> Vec<Expected> {
    let (left, right) = (values(inputs, "arg0"), values(inputs, "arg1"));
    let rows = left.chunks_exact(16).zip(right.chunks_exact(16));
    vec![whole("arg2", rows.flat_map(|(l, r)| [l, r].concat()).collect(), 0.0, 0.0)]
}

/// Row i of `dst_ptr` (8x64) begins with the first n0 values of `src0_ptr` (8x64), then come the first n1 of
/// `src1_ptr` (8x64), cut at 64; the rest stays. The index tables (8x1) count bytes of the index type: 4 n.
pub(super) fn tconcatidx(inputs: &[Input]) -> Vec<Expected> {
    let mut out = values(inputs, "dst_ptr").to_vec();
    let (src0, src1) = (values(inputs, "src0_ptr"), values(inputs, "src1_ptr"));
    let (idx0, idx1) = (values(inputs, "idx0_ptr"), values(inputs, "idx1_ptr"));
    for (i, row) in out.chunks_exact_mut(64).enumerate() {
        let take0 = (idx0[i] as usize / 4).min(64);
        let take1 = (idx1[i] as usize / 4).min(64 - take0);
        row[..take0].copy_from_slice(&src0[i * 64..][..take0]);
        row[take0..take0 + take1].copy_from_slice(&src1[i * 64..][..take1]);
    }
    vec![whole("dst_ptr", out, 0.0, 0.0)]
}

/// `arg0` (16x64): in each row the number of the other column of its pair.
pub(super) fn rope_swap(_: &[Input]) -> Vec<Expected> {
    let columns = (0..16 * 64).map(|at| f64::from((at % 64) ^ 1));
    vec![whole("arg0", columns.collect(), 0.0, 0.0)]
}

/// `arg1` (4x64) has every element of `arg0` (4x32) twice, `arg3` those of `arg2`, the first of them negated.
pub(super) fn rope_interleave(inputs: &[Input]) -> Vec<Expected> {
    let twice = |name| values(inputs, name).iter().flat_map(|value| [*value; 2]);
    let signed = twice("arg2").enumerate().map(|(at, value)| if at % 2 == 0 { -value } else { value });
    vec![whole("arg1", twice("arg0").collect(), 0.0, 0.0), whole("arg3", signed.collect(), 0.0, 0.0)]
}

/// The box of `arg0` (1x1x16x1024x1024) at offsets `arg2`..`arg6` with sizes `arg7`..`arg11` is copied to the same
/// place of `arg1`. Without these arguments it is the 16x16x16 box at the origin.
pub(super) fn partition5d(inputs: &[Input]) -> Vec<Expected> {
    let source = values(inputs, "arg0");
    let (offsets, sizes) = match optional(inputs, "arg2") {
        Some(_) => (
            ["arg2", "arg3", "arg4", "arg5", "arg6"].map(|name| size(inputs, name)),
            ["arg7", "arg8", "arg9", "arg10", "arg11"].map(|name| size(inputs, name)),
        ),
        None => ([0; 5], [1, 1, 16, 16, 16]),
    };
    let mut parts = Vec::new();
    for plane in 0..sizes[2] {
        for row in 0..sizes[3] {
            let start = (offsets[2] + plane) << 20 | (offsets[3] + row) << 10 | offsets[4];
            let values = source[start..start + sizes[4]].to_vec();
            parts.push(Expected { argument: "arg1", start, values, atol: 0.0, rtol: 0.0 });
        }
    }
    parts
}
