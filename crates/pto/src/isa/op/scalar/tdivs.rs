//! TDIVS: divides each element by a scalar, or a scalar by each element, as the operands stand.

use super::family::{EITHER_ORDER, TileScalar, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TDIVS: TileScalar = TileScalar {
    page: page(
        "tdivs",
        "Divides each element by a scalar, or a scalar by each element, as the operands stand.",
        "dst[i, j] = src[i, j] / scalar, or scalar / src[i, j]",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tdivs.md",
        EITHER_ORDER,
    ),
    op: BinaryOp::Div,
    types: Types {
        a2a3: &[Element::I32, Element::I16, Element::F16, Element::F32],
        a5: &[
            Element::U8,
            Element::I8,
            Element::U16,
            Element::I16,
            Element::U32,
            Element::I32,
            Element::F16,
            Element::F32,
        ],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Div.applies_to(element),
};
