//! TCMPS: compares a tile with a scalar into a mask.

use crate::op::Set;
use crate::op::elementwise::{Compare, compare};
use crate::op::form::{Syntax, form};

pub(super) static TCMPS: Compare = compare(
    "tcmps",
    Set::TileScalar,
    "docs/isa/tile/ops/tile-scalar-and-immediate/tcmps.md",
    Syntax::Destination(&[form!(ins(src: Tile, scalar: Scalar) outs(dst: Tile)).asking(&["cmpMode"])]),
    "src",
    None,
);
