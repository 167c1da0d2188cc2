//! TFMODS: remainder of each element by a scalar, with the sign of the element.

use super::family::{TILE_SCALAR_TMP, TileScalar, page};
use crate::isa::element::Element::{F16, F32, I16, I32, U16, U32};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TFMODS: TileScalar = TileScalar {
    page: page(
        "tfmods",
        "Remainder of each element by a scalar, with the sign of the element.",
        "dst[i, j] = src[i, j] - trunc(src[i, j] / scalar) * scalar; the remainder of integers by zero stops the run, or is 0",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tfmods.md",
        TILE_SCALAR_TMP,
    ),
    op: BinaryOp::Fmod,
    types: Types { a2a3: &[F32], a5: &[F32, F16], a2a3_header: &[], a5_header: &[I32, U32, I16, U16] },
    defined: |element| BinaryOp::Fmod.applies_to(element),
};
