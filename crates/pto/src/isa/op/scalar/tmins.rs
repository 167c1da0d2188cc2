//! TMINS: takes the smaller of each element and a scalar.

use super::family::{TILE_SCALAR, TileScalar, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TMINS: TileScalar = TileScalar {
    page: page(
        "tmins",
        "Takes the smaller of each element and a scalar.",
        "dst[i, j] = min(src[i, j], scalar)",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tmins.md",
        TILE_SCALAR,
    ),
    op: BinaryOp::Min,
    types: Types {
        a2a3: &[Element::I32, Element::I16, Element::F16, Element::F32],
        a5: &[
            Element::U8,
            Element::I8,
            Element::U16,
            Element::I16,
            Element::U32,
            Element::I32,
            Element::F16,
            Element::F32,
            Element::Bf16,
        ],
        a5_header: &[Element::I64, Element::U64],
    },
    defined: |element| BinaryOp::Min.applies_to(element),
};
