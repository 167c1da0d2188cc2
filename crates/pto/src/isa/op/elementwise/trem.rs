//! TREM: remainder with the sign of the divisor.

use super::family::{Binary, TWO_TMP, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TREM: Binary = Binary {
    page: page(
        "trem",
        "Remainder with the sign of the divisor.",
        "dst[i, j] = src0[i, j] - floor(src0[i, j] / src1[i, j]) * src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/trem.md",
        TWO_TMP,
    ),
    op: BinaryOp::Rem,
    types: Types {
        a2a3: &[Element::F32, Element::I32],
        a5: &[Element::F32, Element::I32, Element::U32, Element::F16, Element::I16, Element::U16],
        a5_header: &[Element::I64, Element::U64],
    },
    defined: |element| BinaryOp::Rem.applies_to(element),
};
