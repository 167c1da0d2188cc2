//! TNOT: complements the bits of elements.

use super::family::{ONE, Unary, page};
use crate::isa::element::Element::{I8, I16, I32, U8, U16, U32};
use crate::isa::op::common::Types;
use pto_kernels::map::UnaryOp;

pub(super) static TNOT: Unary = Unary {
    page: page(
        "tnot",
        "Complements the bits of elements.",
        "dst[i, j] = ~src[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tnot.md",
        ONE,
    ),
    op: UnaryOp::Not,
    types: Types {
        a2a3: &[I8, I16, I32, U8, U16, U32],
        a5: &[I8, I16, I32, U8, U16, U32],
        a2a3_header: &[],
        a5_header: &[],
    },
    defined: |element| UnaryOp::Not.applies_to(element),
};
