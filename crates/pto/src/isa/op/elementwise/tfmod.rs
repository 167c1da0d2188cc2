//! TFMOD: remainder with the sign of the dividend.

use super::family::{Binary, TWO_TMP, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TFMOD: Binary = Binary {
    page: page(
        "tfmod",
        "Remainder with the sign of the dividend.",
        "dst[i, j] = src0[i, j] - trunc(src0[i, j] / src1[i, j]) * src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tfmod.md",
        TWO_TMP,
    ),
    op: BinaryOp::Fmod,
    types: Types {
        a2a3: &[Element::F32, Element::F16, Element::I32, Element::U32, Element::I16, Element::U16],
        a5: &[Element::F32, Element::I32, Element::U32, Element::F16, Element::I16, Element::U16],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Fmod.applies_to(element),
};
