//! TCMPS: compares a tile with a scalar, or with the first element of a second tile, into a mask.

use crate::element::Element::{F16, F32, I16, I32, U16};
use crate::op::Set;
use crate::op::elementwise::{Compare, Second, compare};
use crate::op::form::{Syntax, form};

pub(super) static TCMPS: Compare = compare(
    "tcmps",
    Set::TileScalar,
    "docs/isa/tile/ops/tile-scalar-and-immediate/tcmps.md",
    Syntax::Destination(&[
        form!(ins(src: Tile, scalar: Scalar) outs(dst: Tile)).asking(&["cmpMode"]),
        form!(ins(src: Tile, src1: Tile) outs(dst: Tile)).named("tile").asking(&["cmpMode"]),
    ]),
    "src",
    Second::One,
    &[I32, F32, F16, U16, I16],
);
