//! TROWEXPANDMUL: multiplies a tile and one element per row.

use super::row::{RowExpand, row_page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TROWEXPANDMUL: RowExpand = RowExpand {
    page: row_page(
        "trowexpandmul",
        "Multiplies a tile and one element per row.",
        "dst[i, j] = src0[i, j] * src1[i, j], one source spread along rows",
        "docs/isa/tile/ops/reduce-and-expand/trowexpandmul.md",
    ),
    op: BinaryOp::Mul,
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
