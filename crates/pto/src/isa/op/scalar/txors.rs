//! TXORS: xors the bits of each element with a scalar.

use super::family::{TILE_SCALAR_TMP, TileScalar, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TXORS: TileScalar = TileScalar {
    page: page(
        "txors",
        "Xors the bits of each element with a scalar.",
        "dst[i, j] = src[i, j] ^ scalar",
        "docs/isa/tile/ops/tile-scalar-and-immediate/txors.md",
        TILE_SCALAR_TMP,
    ),
    op: BinaryOp::Xor,
    types: Types {
        a2a3: &[Element::I8, Element::I16, Element::I32, Element::U8, Element::U16, Element::U32],
        a5: &[Element::I8, Element::I16, Element::I32, Element::U8, Element::U16, Element::U32],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Xor.applies_to(element),
};
