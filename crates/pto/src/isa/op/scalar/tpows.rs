//! TPOWS: raises elements to the power of a scalar.

use super::family::{RULES_WORKSPACE, TILE_SCALAR_TMP, TileScalar, page};
use crate::isa::element::Element::{Bf16, F16, F32, I8, I16, I32, U8, U16, U32};
use crate::isa::op::common::{Types, precision};
use pto_kernels::map::BinaryOp;

pub(super) static TPOWS: TileScalar = TileScalar {
    page: page(
        "tpows",
        "Raises elements to the power of a scalar.",
        "dst[i, j] = src[i, j] ^ scalar",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tpows.md",
        TILE_SCALAR_TMP,
    )
    .ruled(RULES_WORKSPACE)
    .with(&[precision("pow_precision")]),
    op: BinaryOp::Pow,
    types: Types {
        a2a3: &[F32, I8, I16, I32, U8, U16, U32],
        a5: &[F16, F32, Bf16, I8, I16, I32, U8, U16, U32],
        a2a3_header: &[],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Pow.applies_to(element),
};
