//! TMULS: multiplies each element by a scalar.

use super::family::{TILE_SCALAR, TileScalar, page};
use crate::isa::element::Element;
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TMULS: TileScalar = TileScalar {
    page: page(
        "tmuls",
        "Multiplies each element by a scalar.",
        "dst[i, j] = src[i, j] * scalar",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tmuls.md",
        TILE_SCALAR,
    ),
    op: BinaryOp::Mul,
    types: Types {
        a2a3: &[Element::I32, Element::I16, Element::F16, Element::F32],
        a5: &[
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
    defined: |element| BinaryOp::Mul.applies_to(element),
};
