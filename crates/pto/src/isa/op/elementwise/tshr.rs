//! TSHR: shifts elements right: arithmetically where they are signed.

use super::family::{BY_SCALAR_UNIT, Binary, TWO, page};
use crate::isa::element::Element::{I8, I16, I32, I64, U8, U16, U32, U64};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TSHR: Binary = Binary {
    page: page(
        "tshr",
        "Shifts elements right: arithmetically where they are signed.",
        "dst[i, j] = src0[i, j] >> src1[i, j]; on A5 of 64 bits by the amount modulo 64",
        "docs/isa/tile/ops/elementwise-tile-tile/tshr.md",
        TWO,
    )
    .touching(BY_SCALAR_UNIT),
    op: BinaryOp::Shr,
    types: Types {
        a2a3: &[I8, I16, I32, U8, U16, U32],
        a5: &[I8, I16, I32, U8, U16, U32],
        a2a3_header: &[],
        a5_header: &[I64, U64],
    },
    defined: |element| BinaryOp::Shr.applies_to(element),
};
