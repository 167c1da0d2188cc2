//! TLOG: takes natural logarithms.

use super::family::{ONE, Unary, page};
use crate::isa::element::Element::{F16, F32};
use crate::isa::op::common::{Types, precision};
use pto_kernels::map::UnaryOp;

pub(super) static TLOG: Unary = Unary {
    page: page(
        "tlog",
        "Takes natural logarithms.",
        "dst[i, j] = ln(src[i, j])",
        "docs/isa/tile/ops/elementwise-tile-tile/tlog.md",
        ONE,
    )
    .with(&[precision("log_precision")]),
    op: UnaryOp::Log,
    types: Types { a2a3: &[F16, F32], a5: &[F16, F32], a2a3_header: &[], a5_header: &[] },
    defined: |element| UnaryOp::Log.applies_to(element),
};
