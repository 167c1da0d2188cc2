//! TMATMUL.ACC: multiplies two matrices onto an accumulator.

use super::family::{Product, Start, product};

pub(super) static TMATMUL_ACC: Product = product(
    "tmatmul.acc",
    Start::Accumulator,
    false,
    "Multiplies two matrices onto an accumulator.",
    "dst = acc + left x right, one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul-acc.md",
);
