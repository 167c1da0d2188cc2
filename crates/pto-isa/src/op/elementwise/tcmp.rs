//! TCMP: compares two tiles into a mask.

use super::mask::{Compare, compare};
use crate::op::Set;
use crate::op::form::{Syntax, form};

pub(super) static TCMP: Compare = compare(
    "tcmp",
    Set::Elementwise,
    "docs/isa/tile/ops/elementwise-tile-tile/tcmp.md",
    Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile) outs(dst: Tile)).asking(&["cmpMode"])]),
    "src0",
    Some("src1"),
);
