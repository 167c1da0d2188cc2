//! TMATMUL.MX.ACC: multiplies two matrices with MX scales onto an accumulator.

use super::family::{Product, Start, scaled};

pub(super) static TMATMUL_MX_ACC: Product = scaled(
    "tmatmul.mx.acc",
    Start::Accumulator,
    false,
    "Multiplies two matrices with MX scales onto an accumulator.",
    "dst = acc + (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-mx.md",
);
