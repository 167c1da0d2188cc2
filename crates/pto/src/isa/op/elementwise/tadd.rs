//! TADD: adds two tiles.

use super::family::{Binary, TWO, page};
use crate::isa::element::Element::{Bf16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TADD: Binary = Binary {
    page: page(
        "tadd",
        "Adds two tiles.",
        "dst[i, j] = src0[i, j] + src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tadd.md",
        TWO,
    ),
    op: BinaryOp::Add,
    types: Types {
        a2a3: &[I32, I16, F16, F32],
        a5: &[U8, I8, U16, I16, U32, I32, F16, F32, Bf16],
        a2a3_header: &[Bf16],
        a5_header: &[I64, U64],
    },
    defined: |element| BinaryOp::Add.applies_to(element),
};
