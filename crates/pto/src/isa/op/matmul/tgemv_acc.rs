//! TGEMV.ACC: multiplies a row vector by a matrix onto an accumulator.

use super::family::{Product, Start, product};

pub(super) static TGEMV_ACC: Product = product(
    "tgemv.acc",
    Start::Accumulator,
    true,
    "Multiplies a row vector by a matrix onto an accumulator.",
    "dst = acc + left x right, one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tgemv-acc.md",
);
