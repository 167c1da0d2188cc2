//! TSQRT: takes square roots.

use super::family::{ONE, Unary, page};
use crate::isa::element::Element::{F16, F32};
use crate::isa::op::common::{Types, precision};
use pto_kernels::map::UnaryOp;

pub(super) static TSQRT: Unary = Unary {
    page: page(
        "tsqrt",
        "Takes square roots.",
        "dst[i, j] = sqrt(src[i, j])",
        "docs/isa/tile/ops/elementwise-tile-tile/tsqrt.md",
        ONE,
    )
    .with(&[precision("sqrt_precision")]),
    op: UnaryOp::Sqrt,
    types: Types { a2a3: &[F16, F32], a5: &[F16, F32], a2a3_header: &[], a5_header: &[] },
    defined: |element| UnaryOp::Sqrt.applies_to(element),
};
