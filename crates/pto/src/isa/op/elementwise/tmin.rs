//! TMIN: takes the smaller of two elements; NaN propagates.

use super::family::{Binary, TWO, page};
use crate::isa::element::Element::{Bf16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TMIN: Binary = Binary {
    page: page(
        "tmin",
        "Takes the smaller of two elements; NaN propagates.",
        "dst[i, j] = min(src0[i, j], src1[i, j])",
        "docs/isa/tile/ops/elementwise-tile-tile/tmin.md",
        TWO,
    ),
    op: BinaryOp::Min,
    types: Types {
        a2a3: &[I32, I16, F16, F32],
        a5: &[U32, I32, U16, I16, U8, I8, F32, F16],
        a2a3_header: &[],
        a5_header: &[Bf16, I64, U64],
    },
    defined: |element| BinaryOp::Min.applies_to(element),
};
