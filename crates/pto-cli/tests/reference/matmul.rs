//! Matrix products with a bias and with transposed operands.

use super::{Expected, Input, product, size, values, whole};

/// A sum of 256 products of normal values is about 16; f32 adds 16 errors of 2^-24 of that.
const TOLERANCE: f64 = 1e-4;

/// `arg0` (32x32) is `arg1` (32x256) times `arg2` (256x32), plus `arg3` (1x32) in every row if `arg4`.
pub(super) fn bias(inputs: &[Input]) -> Vec<Expected> {
    let mut out = product(values(inputs, "arg1"), values(inputs, "arg2"), 256, 32);
    if size(inputs, "arg4") != 0 {
        for row in out.chunks_exact_mut(32) {
            row.iter_mut().zip(values(inputs, "arg3")).for_each(|(sum, bias)| *sum += bias);
        }
    }
    vec![whole("arg0", out, TOLERANCE, 1e-5)]
}

/// `arg0` (32x32) is A (32x256) times B (256x32). The buffer `arg1` holds A row by row, or column by column if
/// `arg3`; `arg2` holds B row by row if `arg4`, else column by column.
pub(super) fn transpose(inputs: &[Input]) -> Vec<Expected> {
    let (mut a, mut b) = (values(inputs, "arg1").to_vec(), values(inputs, "arg2").to_vec());
    if size(inputs, "arg3") != 0 {
        a = transposed(&a, 256, 32);
    }
    if size(inputs, "arg4") == 0 {
        b = transposed(&b, 32, 256);
    }
    vec![whole("arg0", product(&a, &b, 256, 32), TOLERANCE, 1e-5)]
}

/// `gm_out0`, `gm_out1` and `gm_out2` (16x32) are `gm_lhs` (16x32) times `gm_rhs` (32x32), column j times parameter j of
/// `gm_fp0`, `gm_fp1` and again `gm_fp0`: an f32 in the low half. Rounded to f16, off by half a unit, 2^-11.
pub(super) fn movfp(inputs: &[Input]) -> Vec<Expected> {
    let product = product(values(inputs, "gm_lhs"), values(inputs, "gm_rhs"), 32, 32);
    let scaled = |argument, parameters| {
        let scales = values(inputs, parameters).iter().map(|word| f64::from(f32::from_bits(*word as u32)));
        let out = product.iter().zip(scales.cycle()).map(|(sum, scale)| sum * scale).collect();
        whole(argument, out, 0.0, 1.0 / 2048.0)
    };
    vec![scaled("gm_out0", "gm_fp0"), scaled("gm_out1", "gm_fp1"), scaled("gm_out2", "gm_fp0")]
}

/// `matrix` (`rows` x `columns`, row-major) with rows and columns exchanged.
pub(super) fn transposed(matrix: &[f64], rows: usize, columns: usize) -> Vec<f64> {
    (0..rows * columns).map(|i| matrix[i % rows * columns + i / rows]).collect()
}

#[test]
fn transposing_exchanges_rows_and_columns() {
    assert_eq!(transposed(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 3), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
}
