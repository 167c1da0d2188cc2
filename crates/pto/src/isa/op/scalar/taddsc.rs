//! TADDSC: adds a tile, a scalar and a tile.

use crate::isa::op::Set;
use crate::isa::op::elementwise::{Chain, TYPES, page};
use crate::isa::op::form::{Syntax, form};
use pto_kernels::map::BinaryOp;

pub(super) static TADDSC: Chain = Chain {
    page: page(
        "taddsc",
        Set::TileScalar,
        "Adds a tile, a scalar and a tile.",
        "dst[i, j] = src0[i, j] + scalar + src1[i, j]",
        "docs/isa/tile/ops/tile-scalar-and-immediate/taddsc.md",
        Syntax::Destination(&[form!(ins(src0: Tile, scalar: Scalar, src1: Tile) outs(dst: Tile))]),
    ),
    first: BinaryOp::Add,
    second: BinaryOp::Add,
    sources: &["src0", "src1"],
    types: TYPES,
};
