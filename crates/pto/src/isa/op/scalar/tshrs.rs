//! TSHRS: shifts each element right by a scalar: arithmetically where it is signed.

use super::family::{TILE_SCALAR, TileScalar, page};
use crate::isa::element::Element::{I8, I16, I32, I64, U8, U16, U32, U64};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TSHRS: TileScalar = TileScalar {
    page: page(
        "tshrs",
        "Shifts each element right by a scalar: arithmetically where it is signed.",
        "dst[i, j] = src[i, j] >> scalar; on A5 of 64 bits by the amount modulo 64",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tshrs.md",
        TILE_SCALAR,
    ),
    op: BinaryOp::Shr,
    types: Types {
        a2a3: &[I32, I16, U32, U16],
        a5: &[I8, I16, I32, U8, U16, U32, I64, U64],
        a2a3_header: &[],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Shr.applies_to(element),
};
