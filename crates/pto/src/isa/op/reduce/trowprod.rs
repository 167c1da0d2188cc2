//! TROWPROD: multiplies the elements of each row.

use super::family::{RowReduce, page};
use crate::isa::element::Element::{F16, F32, I16, I32};
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TROWPROD: RowReduce = RowReduce {
    page: page(
        "trowprod",
        true,
        "Multiplies the elements of each row.",
        "dst[i, 0] = product over j of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/trowprod.md",
    ),
    op: ReduceOp::Prod,
    types: Types { a2a3: &[F16, F32, I32, I16], a5: &[F16, F32, I32, I16], a2a3_header: &[], a5_header: &[] },
};
