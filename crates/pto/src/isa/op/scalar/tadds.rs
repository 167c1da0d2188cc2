//! TADDS: adds a scalar to each element.

use super::family::{TILE_SCALAR, TileScalar, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TADDS: TileScalar = TileScalar {
    page: page(
        "tadds",
        "Adds a scalar to each element.",
        "dst[i, j] = src[i, j] + scalar",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tadds.md",
        TILE_SCALAR,
    ),
    op: BinaryOp::Add,
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
    defined: |element| BinaryOp::Add.applies_to(element),
};
