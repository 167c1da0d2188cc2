//! TROWSUM: sums each row.

use super::family::{RowReduce, page};
use crate::isa::element::Element::{F16, F32, I16, I32, I64, U64};
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TROWSUM: RowReduce = RowReduce {
    page: page(
        "trowsum",
        true,
        "Sums each row.",
        "dst[i, 0] = sum over j of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/trowsum.md",
    ),
    op: ReduceOp::Sum,
    types: Types {
        a2a3: &[F16, F32, I32, I16],
        a5: &[F16, F32, I32, I64, U64, I16],
        a2a3_header: &[],
        a5_header: &[],
    },
};
