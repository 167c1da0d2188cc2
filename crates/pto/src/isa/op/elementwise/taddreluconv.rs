//! TADDRELUCONV: adds two tiles, replaces negative sums by zero and narrows.

use super::narrowing::{Narrowing, RULES, page};
use crate::isa::element::Element::{F16, F32, I8, I16};
use crate::isa::op::form::{Syntax, form};
use pto_kernels::map::BinaryOp;

pub(super) static TADDRELUCONV: Narrowing = Narrowing {
    page: page(
        "taddreluconv",
        "Adds two tiles, replaces negative sums by zero and narrows, saturating.",
        "dst[i, j] = convert(max(src0[i, j] + src1[i, j], 0))",
        "docs/isa/TADDReluConv.md",
        Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile) outs(dst: Tile))]),
        RULES,
    ),
    op: BinaryOp::Add,
    pairs: &[(F32, F16), (F16, I8), (I16, I8)],
    scaled: false,
};
