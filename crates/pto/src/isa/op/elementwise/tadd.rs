//! TADD: adds two tiles.

use super::family::{Binary, TWO, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TADD: Binary = Binary {
    page: page(
        "tadd",
        "Adds two tiles.",
        "dst[i, j] = src0[i, j] + src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tadd.md",
        TWO,
    ),
    op: BinaryOp::Add,
    types: Types {
        a2a3: &[Element::I32, Element::I16, Element::F16, Element::F32, Element::Bf16],
        a5: &[
            Element::U8,
            Element::I8,
            Element::U16,
            Element::I16,
            Element::U32,
            Element::I32,
            Element::F16,
            Element::F32,
            Element::Bf16,
        ],
        a5_header: &[Element::I64, Element::U64],
    },
    defined: |element| BinaryOp::Add.applies_to(element),
};
