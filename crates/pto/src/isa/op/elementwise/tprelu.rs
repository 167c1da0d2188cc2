//! TPRELU: multiplies negative elements by their slope.

use super::family::{Binary, TWO_TMP, WITH_WORKSPACE_APART, page};
use crate::isa::element::Element::{F16, F32};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TPRELU: Binary = Binary {
    page: page(
        "tprelu",
        "Multiplies negative elements by their slope.",
        "dst[i, j] = src0[i, j] > 0 ? src0[i, j] : src0[i, j] * src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tprelu.md",
        TWO_TMP,
    )
    .ruled(WITH_WORKSPACE_APART),
    op: BinaryOp::Prelu,
    types: Types { a2a3: &[F16, F32], a5: &[F16, F32], a2a3_header: &[], a5_header: &[] },
    defined: |element| BinaryOp::Prelu.applies_to(element),
};
