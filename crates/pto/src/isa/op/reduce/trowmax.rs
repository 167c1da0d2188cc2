//! TROWMAX: takes the largest element of each row.

use super::family::{RowReduce, page};
use crate::isa::element::Element::{F16, F32, I8, I16, I32, I64, U8, U64};
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TROWMAX: RowReduce = RowReduce {
    page: page(
        "trowmax",
        true,
        "Takes the largest element of each row.",
        "dst[i, 0] = max over j of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/trowmax.md",
    ),
    op: ReduceOp::Max,
    types: Types {
        a2a3: &[F16, F32, I32, I16],
        a5: &[F16, F32, I32, I64, U64, I16, I8, U8],
        a2a3_header: &[],
        a5_header: &[],
    },
};
