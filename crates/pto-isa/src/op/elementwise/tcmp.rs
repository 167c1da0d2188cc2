//! TCMP: compares two tiles into a mask.

use super::compare::{Compare, Second, compare};
use crate::element::Element::{F16, F32, I32};
use crate::op::Set;
use crate::op::form::{Syntax, form};

pub(super) static TCMP: Compare = compare(
    "tcmp",
    Set::Elementwise,
    "docs/isa/tile/ops/elementwise-tile-tile/tcmp.md",
    Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile) outs(dst: Tile)).asking(&["cmpMode"])]),
    "src0",
    Second::Elements,
    &[I32, F16, F32],
);
