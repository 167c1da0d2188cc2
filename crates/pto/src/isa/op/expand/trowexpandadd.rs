//! TROWEXPANDADD: adds a tile and one element per row.

use super::row::{RowExpand, row_page};
use crate::isa::element::Element::{Bf16, F16, F32, I8, I16, I32, U8, U16, U32};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TROWEXPANDADD: RowExpand = RowExpand {
    page: row_page(
        "trowexpandadd",
        "Adds a tile and one element per row.",
        "dst[i, j] = src0[i, j] + src1[i, j], one source spread along rows",
        "docs/isa/tile/ops/reduce-and-expand/trowexpandadd.md",
    ),
    op: BinaryOp::Add,
    types: Types {
        a2a3: &[F16, F32, I16, I32],
        a5: &[F16, F32, I16, I32, U16, U32],
        // The seed page names the six; docs/isa/TROWEXPANDADD.md and the header name these too.
        a2a3_header: &[],
        a5_header: &[Bf16, I8, U8],
    },
};
