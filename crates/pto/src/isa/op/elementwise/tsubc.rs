//! TSUBC: subtracts a tile from a tile and adds a third.

use super::chain::{Chain, TYPES, page};
use crate::isa::op::Set;
use crate::isa::op::form::{Syntax, form};
use pto_kernels::map::BinaryOp;

pub(super) static TSUBC: Chain = Chain {
    page: page(
        "tsubc",
        Set::Elementwise,
        "Subtracts a tile from a tile and adds a third.",
        "dst[i, j] = src0[i, j] - src1[i, j] + src2[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tsubc.md",
        Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile, src2: Tile) outs(dst: Tile))]),
    ),
    first: BinaryOp::Sub,
    second: BinaryOp::Add,
    sources: &["src0", "src1", "src2"],
    types: TYPES,
};
