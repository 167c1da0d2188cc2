//! TMATMUL.MX.BIAS: multiplies two matrices with MX scales and adds a row of biases.

use super::family::{Product, Start, scaled};

pub(super) static TMATMUL_MX_BIAS: Product = scaled(
    "tmatmul.mx.bias",
    Start::Bias,
    false,
    "Multiplies two matrices with MX scales and adds a row of biases.",
    "dst = bias + (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-mx.md",
);
