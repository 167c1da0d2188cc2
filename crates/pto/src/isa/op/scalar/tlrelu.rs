//! TLRELU: multiplies negative elements by a scalar.

use super::family::{TILE_SCALAR, TileScalar, page};
use crate::isa::element::Element::{F16, F32};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TLRELU: TileScalar = TileScalar {
    page: page(
        "tlrelu",
        "Multiplies negative elements by a scalar.",
        "dst[i, j] = src[i, j] >= 0 ? src[i, j] : src[i, j] * scalar",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tlrelu.md",
        TILE_SCALAR,
    ),
    op: BinaryOp::Prelu,
    types: Types { a2a3: &[F16, F32], a5: &[F16, F32], a2a3_header: &[], a5_header: &[] },
    defined: |element| BinaryOp::Prelu.applies_to(element),
};
