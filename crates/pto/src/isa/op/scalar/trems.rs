//! TREMS: remainder of each element by a scalar, with the sign of the scalar.

use super::family::{RULES_WORKSPACE, TILE_SCALAR_TMP, TileScalar, page};
use crate::isa::element::Element::{F16, F32, I16, I32, I64, U16, U32, U64};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TREMS: TileScalar = TileScalar {
    page: page(
        "trems",
        "Remainder of each element by a scalar, with the sign of the scalar.",
        "dst[i, j] = src[i, j] - floor(src[i, j] / scalar) * scalar; the remainder of integers by zero stops the run, or is 0",
        "docs/isa/tile/ops/tile-scalar-and-immediate/trems.md",
        TILE_SCALAR_TMP,
    )
    .ruled(RULES_WORKSPACE),
    op: BinaryOp::Rem,
    types: Types {
        a2a3: &[F32, I32],
        a5: &[F32, I32, U32, F16, I16, U16, I64, U64],
        a2a3_header: &[],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Rem.applies_to(element),
};
