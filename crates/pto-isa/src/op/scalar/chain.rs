//! The instructions on a tile, a scalar and a tile: `dst[i, j] = (src0[i, j] op scalar) + src1[i, j]`.

use crate::op::elementwise::{Chain, tile_scalar_tile};
use pto_num::BinaryOp;

pub(super) static TADDSC: Chain = tile_scalar_tile(
    "taddsc",
    BinaryOp::Add,
    "Adds a tile, a scalar and a tile.",
    "dst[i, j] = src0[i, j] + scalar + src1[i, j]",
    "docs/isa/tile/ops/tile-scalar-and-immediate/taddsc.md",
);

pub(super) static TSUBSC: Chain = tile_scalar_tile(
    "tsubsc",
    BinaryOp::Sub,
    "Subtracts a scalar from a tile and adds a tile.",
    "dst[i, j] = src0[i, j] - scalar + src1[i, j]",
    "docs/isa/tile/ops/tile-scalar-and-immediate/tsubsc.md",
);
