//! TGEMV.BIAS: multiplies a row vector by a matrix and adds a row of biases.

use super::family::{Product, Start, product};

pub(super) static TGEMV_BIAS: Product = product(
    "tgemv.bias",
    Start::Bias,
    true,
    "Multiplies a row vector by a matrix and adds a row of biases.",
    "dst = bias + left x right, one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv-bias.md",
);
