//! TNEG: negates elements.

use super::family::{ONE, Unary, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::UnaryOp;

pub(super) static TNEG: Unary = Unary {
    page: page(
        "tneg",
        "Negates elements.",
        "dst[i, j] = -src[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tneg.md",
        ONE,
    ),
    op: UnaryOp::Neg,
    types: Types {
        a2a3: &[Element::I32, Element::I16, Element::F16, Element::F32],
        a5: &[Element::I32, Element::I16, Element::I8, Element::F16, Element::F32, Element::Bf16],
        a5_header: &[],
    },
    defined: |element| UnaryOp::Neg.applies_to(element),
};
