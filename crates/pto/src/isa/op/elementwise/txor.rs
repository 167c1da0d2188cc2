//! TXOR: xors the bits of two tiles.

use super::family::{Binary, TWO_TMP, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TXOR: Binary = Binary {
    page: page(
        "txor",
        "Xors the bits of two tiles.",
        "dst[i, j] = src0[i, j] ^ src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/txor.md",
        TWO_TMP,
    ),
    op: BinaryOp::Xor,
    types: Types {
        a2a3: &[Element::I8, Element::I16, Element::I32, Element::U8, Element::U16, Element::U32],
        a5: &[Element::I8, Element::I16, Element::I32, Element::U8, Element::U16, Element::U32],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Xor.applies_to(element),
};
