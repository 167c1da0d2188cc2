//! TSHR: shifts elements right: arithmetically where they are signed.

use super::family::{Binary, TWO, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TSHR: Binary = Binary {
    page: page(
        "tshr",
        "Shifts elements right: arithmetically where they are signed.",
        "dst[i, j] = src0[i, j] >> src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tshr.md",
        TWO,
    ),
    op: BinaryOp::Shr,
    types: Types {
        a2a3: &[Element::I8, Element::I16, Element::I32, Element::U8, Element::U16, Element::U32],
        a5: &[Element::I8, Element::I16, Element::I32, Element::U8, Element::U16, Element::U32],
        a5_header: &[Element::I64, Element::U64],
    },
    defined: |element| BinaryOp::Shr.applies_to(element),
};
