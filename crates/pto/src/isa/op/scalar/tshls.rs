//! TSHLS: shifts each element left by a scalar.

use super::family::{TILE_SCALAR, TileScalar, page};
use crate::isa::element::Element::{I8, I16, I32, I64, U8, U16, U32, U64};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TSHLS: TileScalar = TileScalar {
    page: page(
        "tshls",
        "Shifts each element left by a scalar.",
        "dst[i, j] = src[i, j] << scalar; on A5 of 64 bits by the amount modulo 64",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tshls.md",
        TILE_SCALAR,
    ),
    op: BinaryOp::Shl,
    types: Types {
        a2a3: &[I32, I16, U32, U16],
        a5: &[I8, I16, I32, U8, U16, U32, I64, U64],
        a2a3_header: &[],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Shl.applies_to(element),
};
