//! TSEL: selects between two tiles by a mask.

use super::mask::{Select, select};
use crate::op::Set;
use crate::op::form::{Syntax, form};

pub(super) static TSEL: Select = select(
    "tsel",
    Set::Elementwise,
    "docs/isa/tile/ops/elementwise-tile-tile/tsel.md",
    Syntax::Destination(&[
        form!(ins(mask: Tile, src0: Tile, src1: Tile) outs(dst: Tile)),
        form!(ins(mask: Tile, src0: Tile, src1: Tile, tmp: Tile) outs(dst: Tile)),
    ]),
    "src0",
    Some("src1"),
    None,
);
