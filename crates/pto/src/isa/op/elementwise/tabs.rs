//! TABS: takes magnitudes; -0 becomes +0.

use super::family::{ONE, Unary, page};
use crate::isa::element::Element;
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
    types: Types {
        a2a3: &[Element::F32, Element::F16],
        a5: &[Element::F32, Element::F16, Element::I32, Element::I16, Element::I8],
        a5_header: &[],
    },
    defined: |element| UnaryOp::Abs.applies_to(element),
};
