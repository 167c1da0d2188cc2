//! TSUBRELUCONV: subtracts two tiles, replaces negative differences by zero and narrows.

use super::narrowing::{Narrowing, RULES, page};
use crate::isa::element::Element::{F16, F32, I8, I16};
use crate::isa::op::form::{Syntax, form};
use pto_kernels::map::BinaryOp;

pub(super) static TSUBRELUCONV: Narrowing = Narrowing {
    page: page(
        "tsubreluconv",
        "Subtracts two tiles, replaces negative differences by zero and narrows, saturating.",
        "dst[i, j] = convert(max(src0[i, j] - src1[i, j], 0))",
        "include/pto/common/pto_instr.hpp; include/pto/npu/{a2a3,a5}/TSubReluConv.hpp",
        Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile) outs(dst: Tile))]),
        RULES,
    ),
    op: BinaryOp::Sub,
    pairs: &[(F32, F16), (F16, I8), (I16, I8)],
    scaled: false,
};
