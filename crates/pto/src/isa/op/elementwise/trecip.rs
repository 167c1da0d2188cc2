//! TRECIP: takes reciprocals.

use super::family::{ONE, Unary, page};
use crate::isa::element::Element::{F16, F32};
use crate::isa::op::common::{Types, precision};
use pto_kernels::map::UnaryOp;

pub(super) static TRECIP: Unary = Unary {
    page: page(
        "trecip",
        "Takes reciprocals.",
        "dst[i, j] = 1 / src[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/trecip.md",
        ONE,
    )
    .with(&[precision("recip_precision")]),
    op: UnaryOp::Recip,
    types: Types { a2a3: &[F16, F32], a5: &[F16, F32], a2a3_header: &[], a5_header: &[] },
    defined: |element| UnaryOp::Recip.applies_to(element),
};
