//! TCMPS: compares a tile with a scalar into a mask.

use crate::isa::op::Set;
use crate::isa::op::elementwise::{Compare, compare};
use crate::isa::op::form::{Syntax, form};

pub(super) static TCMPS: Compare = compare(
    "tcmps",
    Set::TileScalar,
    "docs/isa/tile/ops/tile-scalar-and-immediate/tcmps.md",
    Syntax::Destination(&[form!(ins(src: Tile, scalar: Scalar) outs(dst: Tile)).asking(&["cmpMode"])]),
    "src",
    None,
);
