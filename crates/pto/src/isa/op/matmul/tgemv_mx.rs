//! TGEMV.MX: multiplies a row vector by a matrix with MX scales.

use super::family::{Product, Start, scaled};

pub(super) static TGEMV_MX: Product = scaled(
    "tgemv.mx",
    Start::Zero,
    true,
    "Multiplies a row vector by a matrix with MX scales.",
    "dst = (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv-mx.md",
);
