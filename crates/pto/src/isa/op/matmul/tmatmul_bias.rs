//! TMATMUL.BIAS: multiplies two matrices and adds a row of biases.

use super::family::{Product, Start, product};

pub(super) static TMATMUL_BIAS: Product = product(
    "tmatmul.bias",
    Start::Bias,
    false,
    "Multiplies two matrices and adds a row of biases.",
    "dst = bias + left x right, one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-bias.md",
);
