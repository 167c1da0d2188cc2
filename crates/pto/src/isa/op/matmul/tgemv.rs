//! TGEMV: multiplies a row vector by a matrix.

use super::family::{Product, Start, product};

pub(super) static TGEMV: Product = product(
    "tgemv",
    Start::Zero,
    true,
    "Multiplies a row vector by a matrix.",
    "dst = left x right, one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv.md",
);
