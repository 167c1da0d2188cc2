//! TMAX: takes the larger of two elements; NaN propagates.

use super::family::{Binary, TWO, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TMAX: Binary = Binary {
    page: page(
        "tmax",
        "Takes the larger of two elements; NaN propagates.",
        "dst[i, j] = max(src0[i, j], src1[i, j])",
        "docs/isa/tile/ops/elementwise-tile-tile/tmax.md",
        TWO,
    ),
    op: BinaryOp::Max,
    types: Types {
        a2a3: &[Element::I32, Element::I16, Element::F16, Element::F32],
        a5: &[
            Element::U32,
            Element::I32,
            Element::U16,
            Element::I16,
            Element::U8,
            Element::I8,
            Element::F32,
            Element::F16,
        ],
        a5_header: &[Element::Bf16, Element::I64, Element::U64],
    },
    defined: |element| BinaryOp::Max.applies_to(element),
};
