//! TCOLMIN: takes the smallest element of each column.

use super::family::{ColReduce, page};
use crate::isa::element::Element::{Bf16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TCOLMIN: ColReduce = ColReduce {
    page: page(
        "tcolmin",
        false,
        "Takes the smallest element of each column.",
        "dst[0, j] = min over i of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/tcolmin.md",
    ),
    op: ReduceOp::Min,
    types: Types {
        a2a3: &[F16, F32, I32, I16],
        a5: &[F16, F32, Bf16, I8, U8, I16, U16, I32, U32, I64, U64],
        a2a3_header: &[],
        a5_header: &[],
    },
};
