//! TSELS: selects between a tile and a scalar by a mask.

use crate::isa::op::Set;
use crate::isa::op::elementwise::{Select, select};
use crate::isa::op::form::{Syntax, form};

pub(super) static TSELS: Select = select(
    "tsels",
    Set::TileScalar,
    "docs/isa/tile/ops/tile-scalar-and-immediate/tsels.md",
    Syntax::Destination(&[
        form!(ins(mask: Tile, src: Tile, scalar: Scalar) outs(dst: Tile)),
        form!(ins(mask: Tile, src: Tile, tmp: Tile, scalar: Scalar) outs(dst: Tile)),
    ]),
    "src",
    None,
);
