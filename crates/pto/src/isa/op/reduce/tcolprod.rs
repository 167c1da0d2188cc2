//! TCOLPROD: multiplies the elements of each column.

use super::family::{ColReduce, page};
use crate::isa::element::Element::{Bf16, F16, F32, I16, I32, U16, U32};
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TCOLPROD: ColReduce = ColReduce {
    page: page(
        "tcolprod",
        false,
        "Multiplies the elements of each column.",
        "dst[0, j] = product over i of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/tcolprod.md",
    ),
    op: ReduceOp::Prod,
    types: Types {
        a2a3: &[F16, F32, I32, I16],
        a5: &[F16, F32, Bf16, I16, U16, I32, U32],
        a2a3_header: &[],
        a5_header: &[],
    },
};
