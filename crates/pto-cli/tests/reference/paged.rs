//! Paged attention (`PyPTOIRParser`): 16 queries, blocks of 128 keys, heads of 128.

use super::matmul::transposed;
use super::{BF16, Expected, Input, product, size, to_bf16, values, whole};

/// Sums of 128 products of normal values are about 11.
const SUM: f64 = 5e-5;

/// `arg2` (16x128, f32) is `arg0` (16x128, bf16) times the transpose of `arg1` (128 keys x 128, bf16).
pub(super) fn qk(inputs: &[Input]) -> Vec<Expected> {
    let kt = transposed(values(inputs, "arg1"), 128, 128);
    vec![whole("arg2", product(values(inputs, "arg0"), &kt, 128, 128), SUM, 1e-6)]
}

/// `arg2` (16x128, f32) is `arg0` (16x128, bf16) times `arg1` (128x128, bf16).
pub(super) fn pv(inputs: &[Input]) -> Vec<Expected> {
    let out = product(values(inputs, "arg0"), values(inputs, "arg1"), 128, 128);
    vec![whole("arg2", out, SUM, 1e-6)]
}

/// With s = `arg0` (16x128) times the scalar `arg1`: `arg3` (16x1) is the largest of each row, `arg2` (16x128, bf16)
/// is exp(s - largest), `arg4` (16x1) is the sum of `arg2`'s row.
///
/// The sum is of rounded values; one of them may round the other way here, which changes the sum by 2^-8 of a
/// value that is at most one: 5e-3 absolute.
pub(super) fn softmax_prepare(inputs: &[Input]) -> Vec<Expected> {
    let scale = values(inputs, "arg1")[0];
    let (mut exponentials, mut largest, mut sums) = (Vec::new(), Vec::new(), Vec::new());
    for row in values(inputs, "arg0").chunks_exact(128) {
        let max = row.iter().map(|s| s * scale).fold(f64::NEG_INFINITY, f64::max);
        let exact: Vec<f64> = row.iter().map(|s| (s * scale - max).exp()).collect();
        largest.push(max);
        sums.push(exact.iter().map(|&e| to_bf16(e)).sum());
        exponentials.extend(exact);
    }
    vec![
        whole("arg2", exponentials, 0.0, BF16),
        whole("arg3", largest, 0.0, 1e-7),
        whole("arg4", sums, 5e-3, 1e-6),
    ]
}

/// Joins a block's maximum m' (`arg0`, 16x1), sum l' (`arg1`, 16x1) and output o' (`arg2`, 16x128) into the running
/// m (`arg3`), l (`arg4`) and o (`arg5`).
///
/// If `arg7` (first), the block's are copied. Else M = max(m, m'), a = exp(m - M), b = exp(m' - M), and M,
/// l a + l' b, o a + o' b are stored. `arg6` (16x128) becomes o / l if `arg8` (last), else zero. All f32, a few
/// roundings and an exponential of 1 ulp; l may be small, so the quotient is compared relatively, with an absolute
/// part for the cancelling sum o.
pub(super) fn online_update(inputs: &[Input]) -> Vec<Expected> {
    let [m_new, l_new, o_new, m_old, l_old, o_old] =
        ["arg0", "arg1", "arg2", "arg3", "arg4", "arg5"].map(|name| values(inputs, name));
    let (mut m, mut l, mut o) = (m_new.to_vec(), l_new.to_vec(), o_new.to_vec());
    if size(inputs, "arg7") == 0 {
        for row in 0..16 {
            m[row] = m_old[row].max(m_new[row]);
            let (a, b) = ((m_old[row] - m[row]).exp(), (m_new[row] - m[row]).exp());
            l[row] = l_old[row] * a + l_new[row] * b;
            for i in row * 128..row * 128 + 128 {
                o[i] = o_old[i] * a + o_new[i] * b;
            }
        }
    }
    let last = size(inputs, "arg8") != 0;
    let quotients = o.iter().enumerate().map(|(i, &x)| if last { x / l[i / 128] } else { 0.0 }).collect();
    let smallest = l.iter().copied().fold(1.0, f64::min);
    vec![
        whole("arg3", m, 0.0, 0.0),
        whole("arg4", l, 1e-6, 1e-6),
        whole("arg5", o, 2e-6, 1e-6),
        whole("arg6", quotients, 2e-6 / smallest, 2e-6),
    ]
}
