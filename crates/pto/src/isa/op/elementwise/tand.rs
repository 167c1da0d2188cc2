//! TAND: ands the bits of two tiles.

use super::family::{Binary, TWO, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TAND: Binary = Binary {
    page: page(
        "tand",
        "Ands the bits of two tiles.",
        "dst[i, j] = src0[i, j] & src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tand.md",
        TWO,
    ),
    op: BinaryOp::And,
    types: Types {
        a2a3: &[Element::I8, Element::U8, Element::I16, Element::U16],
        a5: &[Element::I8, Element::I16, Element::I32, Element::U8, Element::U16, Element::U32],
        a5_header: &[],
    },
    defined: |element| BinaryOp::And.applies_to(element),
};
