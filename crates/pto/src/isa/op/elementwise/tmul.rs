//! TMUL: multiplies two tiles element by element.

use super::family::{Binary, TWO, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TMUL: Binary = Binary {
    page: page(
        "tmul",
        "Multiplies two tiles element by element.",
        "dst[i, j] = src0[i, j] * src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tmul.md",
        TWO,
    ),
    op: BinaryOp::Mul,
    types: Types {
        a2a3: &[Element::I32, Element::I16, Element::F16, Element::F32],
        a5: &[
            Element::I32,
            Element::U32,
            Element::F32,
            Element::I16,
            Element::U16,
            Element::F16,
            Element::Bf16,
        ],
        a5_header: &[Element::I64, Element::U64],
    },
    defined: |element| BinaryOp::Mul.applies_to(element),
};
