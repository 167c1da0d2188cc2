//! TADDS: adds a scalar to each element.

use super::family::{TILE_SCALAR, TileScalar, page};
use crate::isa::element::Element::{Bf16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TADDS: TileScalar = TileScalar {
    page: page(
        "tadds",
        "Adds a scalar to each element.",
        "dst[i, j] = src[i, j] + scalar",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tadds.md",
        TILE_SCALAR,
    ),
    op: BinaryOp::Add,
    types: Types {
        a2a3: &[I32, I16, F16, F32],
        a5: &[U8, I8, U16, I16, U32, I32, F16, F32, Bf16],
        a2a3_header: &[],
        a5_header: &[I64, U64],
    },
    defined: |element| BinaryOp::Add.applies_to(element),
};
