//! TCOLSUM: sums each column.

use super::family::{COL_SUM_RULES, ColReduce, page};
use crate::isa::element::Element::{Bf16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::isa::op::attribute::AttributeSpec;
use crate::isa::op::common::Types;
use pto_kernels::reduce::ReduceOp;

pub(super) static TCOLSUM: ColReduce = ColReduce {
    page: page(
        "tcolsum",
        false,
        "Sums each column.",
        "dst[0, j] = sum over i of src[i, j]",
        "docs/isa/tile/ops/reduce-and-expand/tcolsum.md",
    )
    .ruled(COL_SUM_RULES)
    .with(&[AttributeSpec::boolean(
        "isBinary",
        "Whether the device adds rows in pairs; sums here have one order, which `docs/numerics.md` says.",
    )
    .or_bool(false)]),
    op: ReduceOp::Sum,
    types: Types {
        a2a3: &[F16, F32, I32, I16],
        a5: &[F16, F32, Bf16, I8, U8, I16, U16, I32, U32, I64, U64],
        a2a3_header: &[],
        a5_header: &[],
    },
};
