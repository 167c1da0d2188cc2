//! TSUBSC: subtracts a scalar from a tile and adds a tile.

use crate::isa::op::Set;
use crate::isa::op::elementwise::{Chain, TYPES, page};
use crate::isa::op::form::{Syntax, form};
use pto_kernels::map::BinaryOp;

pub(super) static TSUBSC: Chain = Chain {
    page: page(
        "tsubsc",
        Set::TileScalar,
        "Subtracts a scalar from a tile and adds a tile.",
        "dst[i, j] = src0[i, j] - scalar + src1[i, j]",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tsubsc.md",
        Syntax::Destination(&[form!(ins(src0: Tile, scalar: Scalar, src1: Tile) outs(dst: Tile))]),
    ),
    first: BinaryOp::Sub,
    second: BinaryOp::Add,
    sources: &["src0", "src1"],
    types: TYPES,
};
