//! TMATMUL: multiplies two matrices.

use super::family::{Product, Start, product};

pub(super) static TMATMUL: Product = product(
    "tmatmul",
    Start::Zero,
    false,
    "Multiplies two matrices.",
    "dst = left x right, one fused multiply-add per step, k ascending",
    "docs/isa/tile/ops/matrix-and-matrix-vector/tmatmul.md",
);
