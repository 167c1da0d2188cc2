//! TSHL: shifts elements left.

use super::family::{Binary, TWO, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TSHL: Binary = Binary {
    page: page(
        "tshl",
        "Shifts elements left.",
        "dst[i, j] = src0[i, j] << src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tshl.md",
        TWO,
    ),
    op: BinaryOp::Shl,
    types: Types {
        a2a3: &[Element::I8, Element::I16, Element::I32, Element::U8, Element::U16, Element::U32],
        a5: &[Element::I8, Element::I16, Element::I32, Element::U8, Element::U16, Element::U32],
        a5_header: &[Element::I64, Element::U64],
    },
    defined: |element| BinaryOp::Shl.applies_to(element),
};
