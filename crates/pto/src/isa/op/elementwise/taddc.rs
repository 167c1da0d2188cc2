//! TADDC: adds three tiles.

use super::chain::{Chain, TYPES, page};
use crate::isa::op::Set;
use crate::isa::op::form::{Syntax, form};
use pto_kernels::map::BinaryOp;

pub(super) static TADDC: Chain = Chain {
    page: page(
        "taddc",
        Set::Elementwise,
        "Adds three tiles.",
        "dst[i, j] = src0[i, j] + src1[i, j] + src2[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/taddc.md",
        Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile, src2: Tile) outs(dst: Tile))]),
    ),
    first: BinaryOp::Add,
    second: BinaryOp::Add,
    sources: &["src0", "src1", "src2"],
    types: TYPES,
};
