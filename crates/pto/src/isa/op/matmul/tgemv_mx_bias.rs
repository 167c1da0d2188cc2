//! TGEMV.MX.BIAS: multiplies a row vector by a matrix with MX scales and adds a row of biases.

use super::family::{Product, Start, scaled};

pub(super) static TGEMV_MX_BIAS: Product = scaled(
    "tgemv.mx.bias",
    Start::Bias,
    true,
    "Multiplies a row vector by a matrix with MX scales and adds a row of biases.",
    "dst = bias + (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv-mx.md",
);
