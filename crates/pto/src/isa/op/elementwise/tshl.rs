//! TSHL: shifts elements left.

use super::family::{BY_SCALAR_UNIT, Binary, TWO, page};
use crate::isa::element::Element::{I8, I16, I32, I64, U8, U16, U32, U64};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TSHL: Binary = Binary {
    page: page(
        "tshl",
        "Shifts elements left.",
        "dst[i, j] = src0[i, j] << src1[i, j]; on A5 of 64 bits by the amount modulo 64",
        "docs/isa/tile/ops/elementwise-tile-tile/tshl.md",
        TWO,
    )
    .touching(BY_SCALAR_UNIT),
    op: BinaryOp::Shl,
    types: Types {
        a2a3: &[I8, I16, I32, U8, U16, U32],
        a5: &[I8, I16, I32, U8, U16, U32],
        a2a3_header: &[],
        a5_header: &[I64, U64],
    },
    defined: |element| BinaryOp::Shl.applies_to(element),
};
