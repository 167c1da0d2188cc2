//! TSHLS: shifts each element left by a scalar.

use super::family::{TILE_SCALAR, TileScalar, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TSHLS: TileScalar = TileScalar {
    page: page(
        "tshls",
        "Shifts each element left by a scalar.",
        "dst[i, j] = src[i, j] << scalar",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tshls.md",
        TILE_SCALAR,
    ),
    op: BinaryOp::Shl,
    types: Types {
        a2a3: &[Element::I32, Element::I16, Element::U32, Element::U16],
        a5: &[Element::I8, Element::I16, Element::I32, Element::U8, Element::U16, Element::U32],
        a5_header: &[Element::I64, Element::U64],
    },
    defined: |element| BinaryOp::Shl.applies_to(element),
};
