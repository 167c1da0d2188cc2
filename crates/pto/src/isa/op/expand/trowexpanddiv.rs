//! TROWEXPANDDIV: divides a tile and one element per row, in the order written.

use super::row::{RowExpand, row_page};
use crate::isa::element::Element::{Bf16, F16, F32, I8, I16, I32, U8, U16, U32};
use crate::isa::op::common::{Types, precision};
use pto_kernels::map::BinaryOp;

pub(super) static TROWEXPANDDIV: RowExpand = RowExpand {
    page: row_page(
        "trowexpanddiv",
        "Divides a tile and one element per row, in the order written.",
        "dst[i, j] = src0[i, j] / src1[i, j], one source spread along rows",
        "docs/isa/tile/ops/reduce-and-expand/trowexpanddiv.md",
    )
    .with(&[precision("div_precision")]),
    op: BinaryOp::Div,
    types: Types {
        a2a3: &[F16, F32],
        a5: &[F16, F32, I16, I32, U16, U32, Bf16, I8, U8],
        a2a3_header: &[],
        a5_header: &[],
    },
};
