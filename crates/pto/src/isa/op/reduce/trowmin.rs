//! TROWMIN: takes the smallest element of each row.

use super::family::{RowReduce, page};
use crate::isa::element::Element::{F16, F32, I8, I16, I32, I64, U8, U64};
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TROWMIN: RowReduce = RowReduce {
    page: page(
        "trowmin",
        true,
        "Takes the smallest element of each row.",
        "dst[i, 0] = min over j of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/trowmin.md",
    ),
    op: ReduceOp::Min,
    types: Types {
        a2a3: &[F16, F32, I32, I16],
        a5: &[F16, F32, I32, I64, U64, I16, I8, U8],
        a2a3_header: &[],
        a5_header: &[],
    },
};
