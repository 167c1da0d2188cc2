//! TSELS: selects between a tile and a scalar by a mask.

use crate::element::Element::{Bf16, F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::op::Set;
use crate::op::common::Types;
use crate::op::elementwise::{Select, select};
use crate::op::form::{Syntax, form};

/// Page and headers of TSELS name element types, those of TSEL element sizes.
const TYPES: Types = Types {
    a2a3: &[I16, U16, I32, U32, F16, Bf16, F32],
    a5: &[I8, U8, I16, U16, I32, U32, I64, U64, F16, F32],
    a2a3_header: &[],
    a5_header: &[],
};

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
    Some(TYPES),
);
