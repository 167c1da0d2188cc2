//! TANDS: ands the bits of each element with a scalar.

use super::family::{RULES_APART, TILE_SCALAR, TileScalar, page};
use crate::isa::element::Element::{I8, I16, I32, U8, U16, U32};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TANDS: TileScalar = TileScalar {
    page: page(
        "tands",
        "Ands the bits of each element with a scalar.",
        "dst[i, j] = src[i, j] & scalar",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tands.md",
        TILE_SCALAR,
    )
    .ruled(RULES_APART),
    op: BinaryOp::And,
    types: Types {
        a2a3: &[I8, U8, I16, U16],
        a5: &[I8, I16, I32, U8, U16, U32],
        a2a3_header: &[],
        a5_header: &[],
    },
    defined: |element| BinaryOp::And.applies_to(element),
};
