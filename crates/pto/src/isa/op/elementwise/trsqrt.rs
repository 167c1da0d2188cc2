//! TRSQRT: takes reciprocal square roots.

use super::family::{ONE, Unary, page};
use crate::isa::element::Element::{F16, F32};
use crate::isa::op::common::{Types, precision};
use crate::isa::op::effect::Effect;
use pto_kernels::map::UnaryOp;

pub(super) static TRSQRT: Unary = Unary {
    page: page(
        "trsqrt",
        "Takes reciprocal square roots.",
        "dst[i, j] = 1 / sqrt(src[i, j]); on A5 the root is rounded before its reciprocal is",
        "docs/isa/tile/ops/elementwise-tile-tile/trsqrt.md",
        ONE,
    )
    .with(&[precision("rsqrt_precision")])
    .touching(&[Effect::reads("src"), Effect::destroys("tmp"), Effect::writes("dst")]),
    op: UnaryOp::Rsqrt,
    types: Types { a2a3: &[F16, F32], a5: &[F16, F32], a2a3_header: &[], a5_header: &[] },
    defined: |element| UnaryOp::Rsqrt.applies_to(element),
};
