//! TXOR: xors the bits of two tiles.

use super::family::{Binary, TWO_TMP, WITH_WORKSPACE_APART, page};
use crate::isa::element::Element::{I8, I16, I32, U8, U16, U32};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TXOR: Binary = Binary {
    page: page(
        "txor",
        "Xors the bits of two tiles.",
        "dst[i, j] = src0[i, j] ^ src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/txor.md",
        TWO_TMP,
    )
    .ruled(WITH_WORKSPACE_APART),
    op: BinaryOp::Xor,
    types: Types {
        a2a3: &[I8, I16, I32, U8, U16, U32],
        a5: &[I8, I16, I32, U8, U16, U32],
        a2a3_header: &[],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Xor.applies_to(element),
};
