//! TXORS: xors the bits of each element with a scalar.

use super::family::{RULES_WORKSPACE_APART, TILE_SCALAR_TMP, TileScalar, page};
use crate::isa::element::Element::{I8, I16, I32, U8, U16, U32};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TXORS: TileScalar = TileScalar {
    page: page(
        "txors",
        "Xors the bits of each element with a scalar.",
        "dst[i, j] = src[i, j] ^ scalar",
        "docs/isa/tile/ops/tile-scalar-and-immediate/txors.md",
        TILE_SCALAR_TMP,
    )
    .ruled(RULES_WORKSPACE_APART),
    op: BinaryOp::Xor,
    types: Types {
        a2a3: &[I8, I16, I32, U8, U16, U32],
        a5: &[I8, I16, I32, U8, U16, U32],
        a2a3_header: &[],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Xor.applies_to(element),
};
