//! TOR: ors the bits of two tiles.

use super::family::{Binary, TWO, page};
use crate::isa::element::Element::{I8, I16, I32, U8, U16, U32};
use crate::isa::op::common::Types;
use pto_kernels::map::BinaryOp;

pub(super) static TOR: Binary = Binary {
    page: page(
        "tor",
        "Ors the bits of two tiles.",
        "dst[i, j] = src0[i, j] | src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tor.md",
        TWO,
    ),
    op: BinaryOp::Or,
    types: Types {
        a2a3: &[I8, I16, I32, U8, U16, U32],
        a5: &[I8, I16, I32, U8, U16, U32],
        a2a3_header: &[],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Or.applies_to(element),
};
