//! TEXP: raises e to the power of each element.

use super::family::{ONE, Unary, page};
use crate::isa::element::Element::{F16, F32};
use crate::isa::op::common::{Types, precision};
use pto_kernels::map::UnaryOp;

pub(super) static TEXP: Unary = Unary {
    page: page(
        "texp",
        "Raises e to the power of each element.",
        "dst[i, j] = exp(src[i, j])",
        "docs/isa/tile/ops/elementwise-tile-tile/texp.md",
        ONE,
    )
    .with(&[precision("exp_precision")]),
    op: UnaryOp::Exp,
    types: Types { a2a3: &[F16, F32], a5: &[F16, F32], a2a3_header: &[], a5_header: &[] },
    defined: |element| UnaryOp::Exp.applies_to(element),
};
