//! TCOLEXPANDSUB: subtracts one element per column and a tile, in the order written.

use super::column::{ColExpand, col_page};
use crate::isa::element::Element::{Bf16, F16, F32, I8, I16, I32, U8, U16, U32};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TCOLEXPANDSUB: ColExpand = ColExpand {
    page: col_page(
        "tcolexpandsub",
        "Subtracts one element per column and a tile, in the order written.",
        "dst[i, j] = src0[i, j] - src1[i, j], one source spread along columns",
        "docs/isa/tile/ops/reduce-and-expand/tcolexpandsub.md",
    ),
    op: BinaryOp::Sub,
    types: Types {
        a2a3: &[F16, F32, I16, I32],
        a5: &[F16, F32, I16, I32, U16, U32, Bf16, I8, U8],
        a2a3_header: &[],
        a5_header: &[],
    },
};
