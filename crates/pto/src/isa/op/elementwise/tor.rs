//! TOR: ors the bits of two tiles.

use super::family::{Binary, TWO, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TOR: Binary = Binary {
    page: page(
        "tor",
        "Ors the bits of two tiles.",
        "dst[i, j] = src0[i, j] | src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tor.md",
        TWO,
    ),
    op: BinaryOp::Or,
    types: Types {
        a2a3: &[Element::I8, Element::U8, Element::I16, Element::U16],
        a5: &[Element::I8, Element::I16, Element::I32, Element::U8, Element::U16, Element::U32],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Or.applies_to(element),
};
