//! TSUBS: subtracts a scalar from each element.

use super::family::{TILE_SCALAR, TileScalar, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TSUBS: TileScalar = TileScalar {
    page: page(
        "tsubs",
        "Subtracts a scalar from each element.",
        "dst[i, j] = src[i, j] - scalar",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tsubs.md",
        TILE_SCALAR,
    ),
    op: BinaryOp::Sub,
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
    defined: |element| BinaryOp::Sub.applies_to(element),
};
