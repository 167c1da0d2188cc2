//! TRELU: replaces negative elements by zero; NaN stays NaN.

use super::family::{ONE, Unary, page};
use crate::isa::element::Element::{F16, F32, I32};
use crate::isa::op::common::Types;
use pto_kernels::map::UnaryOp;

pub(super) static TRELU: Unary = Unary {
    page: page(
        "trelu",
        "Replaces negative elements by zero; NaN stays NaN.",
        "dst[i, j] = max(src[i, j], 0)",
        "docs/isa/tile/ops/elementwise-tile-tile/trelu.md",
        ONE,
    ),
    op: UnaryOp::Relu,
    types: Types { a2a3: &[F16, F32, I32], a5: &[F16, F32, I32], a2a3_header: &[], a5_header: &[] },
    defined: |element| UnaryOp::Relu.applies_to(element),
};
