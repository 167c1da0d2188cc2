//! TABS: takes magnitudes; -0 becomes +0.

use super::family::{ONE, Unary, page};
use crate::isa::element::Element::{F16, F32, I8, I16, I32};
use crate::isa::op::common::Types;
use pto_kernels::map::UnaryOp;

pub(super) static TABS: Unary = Unary {
    page: page(
        "tabs",
        "Takes magnitudes; -0 becomes +0.",
        "dst[i, j] = |src[i, j]|",
        "docs/isa/tile/ops/elementwise-tile-tile/tabs.md",
        ONE,
    ),
    op: UnaryOp::Abs,
    types: Types { a2a3: &[F32, F16], a5: &[F32, F16, I32, I16, I8], a2a3_header: &[], a5_header: &[] },
    defined: |element| UnaryOp::Abs.applies_to(element),
};
