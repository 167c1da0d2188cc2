//! TMATMUL.MX: multiplies two matrices with MX scales.

use super::family::{Product, Start, scaled};

pub(super) static TMATMUL_MX: Product = scaled(
    "tmatmul.mx",
    Start::Zero,
    false,
    "Multiplies two matrices with MX scales.",
    "dst = (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-mx.md",
);
