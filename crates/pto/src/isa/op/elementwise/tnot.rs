//! TNOT: complements the bits of elements.

use super::family::{ONE, Unary, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::UnaryOp;

pub(super) static TNOT: Unary = Unary {
    page: page(
        "tnot",
        "Complements the bits of elements.",
        "dst[i, j] = ~src[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tnot.md",
        ONE,
    ),
    op: UnaryOp::Not,
    types: Types {
        a2a3: &[Element::I16, Element::U16],
        a5: &[Element::I8, Element::I16, Element::I32, Element::U8, Element::U16, Element::U32],
        a5_header: &[],
    },
    defined: |element| UnaryOp::Not.applies_to(element),
};
