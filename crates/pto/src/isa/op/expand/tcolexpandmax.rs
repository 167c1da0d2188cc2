//! TCOLEXPANDMAX: takes the larger of a tile and one element per column.

use super::column::{ColExpand, col_page};
use crate::isa::element::Element::{Bf16, F16, F32, I8, I16, I32, U8, U16, U32};
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
        a2a3: &[F16, F32, I16, I32],
        a5: &[F16, F32, I16, I32, U16, U32, Bf16, I8, U8],
        a2a3_header: &[],
        a5_header: &[],
    },
};
