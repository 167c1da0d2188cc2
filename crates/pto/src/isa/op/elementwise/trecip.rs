//! TRECIP: takes reciprocals.

use super::family::{BY_SCALAR_UNIT, ONE, Unary, page};
use crate::isa::element::Element::{F16, F32, I16, I32};
use crate::isa::op::common::{Types, precision};
use pto_kernels::map::UnaryOp;

pub(super) static TRECIP: Unary = Unary {
    page: page(
        "trecip",
        "Takes reciprocals.",
        "dst[i, j] = 1 / src[i, j]; the reciprocal of an integer truncates: 1 of 1, -1 of -1, 0 of others; that of an \
         integer zero stops the run, or is 0",
        "docs/isa/tile/ops/elementwise-tile-tile/trecip.md",
        ONE,
    )
    .with(&[precision("recip_precision")])
    .touching(BY_SCALAR_UNIT),
    op: UnaryOp::Recip,
    types: Types {
        a2a3: &[F16, F32, I16, I32],
        a5: &[F16, F32, I16, I32],
        a2a3_header: &[],
        a5_header: &[],
    },
    defined: |element| UnaryOp::Recip.applies_to(element),
};
