//! TGEMV.MX.ACC: multiplies a row vector by a matrix with MX scales onto an accumulator.

use super::family::{Product, Start, scaled};

pub(super) static TGEMV_MX_ACC: Product = scaled(
    "tgemv.mx.acc",
    Start::Accumulator,
    true,
    "Multiplies a row vector by a matrix with MX scales onto an accumulator.",
    "dst = acc + (left * left_scale) x (right * right_scale), a scale for every 32 elements along k; one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv-mx.md",
);
