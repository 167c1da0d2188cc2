//! TMUL: multiplies two tiles element by element.

use super::family::{Binary, TWO, page};
use crate::isa::element::Element::{Bf16, F16, F32, I16, I32, I64, U16, U32, U64};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TMUL: Binary = Binary {
    page: page(
        "tmul",
        "Multiplies two tiles element by element.",
        "dst[i, j] = src0[i, j] * src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tmul.md",
        TWO,
    ),
    op: BinaryOp::Mul,
    types: Types {
        a2a3: &[I32, I16, F16, F32],
        a5: &[I32, U32, F32, I16, U16, F16, Bf16],
        a2a3_header: &[],
        a5_header: &[I64, U64],
    },
    defined: |element| BinaryOp::Mul.applies_to(element),
};
