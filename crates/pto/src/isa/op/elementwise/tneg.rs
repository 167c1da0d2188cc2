//! TNEG: negates elements.

use super::family::{ONE, Unary, page};
use crate::isa::element::Element::{Bf16, F16, F32, I16, I32, U16, U32};
use crate::isa::op::common::Types;
use pto_kernels::map::UnaryOp;

pub(super) static TNEG: Unary = Unary {
    page: page(
        "tneg",
        "Negates elements.",
        "dst[i, j] = -src[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tneg.md",
        ONE,
    ),
    op: UnaryOp::Neg,
    types: Types {
        a2a3: &[I32, I16, F16, F32],
        a5: &[I32, I16, U32, U16, F16, F32, Bf16],
        a2a3_header: &[],
        a5_header: &[],
    },
    defined: |element| UnaryOp::Neg.applies_to(element),
};
