//! TCOLEXPANDMAX: takes the larger of a tile and one element per column.

use super::column::{ColExpand, col_page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TCOLEXPANDMAX: ColExpand = ColExpand {
    page: col_page(
        "tcolexpandmax",
        "Takes the larger of a tile and one element per column.",
        "dst[i, j] = max(src0[i, j], src1[i, j]), one source spread along columns",
        "docs/isa/tile/ops/reduce-and-expand/tcolexpandmax.md",
    ),
    op: BinaryOp::Max,
    types: Types {
        a2a3: &[Element::F16, Element::F32, Element::I16, Element::I32],
        a5: &[
            Element::F16,
            Element::F32,
            Element::I16,
            Element::I32,
            Element::U16,
            Element::U32,
            Element::Bf16,
            Element::I8,
            Element::U8,
        ],
        a5_header: &[],
    },
};
