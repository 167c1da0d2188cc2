//! TADDDEQRELU: adds two tiles of i32, scales, replaces negative products by zero and narrows to f16.
//!
//! The header of A2/A3 keeps intermediate results in the sources' places; the page names only the scratch tile for
//! that, and here the sources stay as they are.

use super::narrowing::{Narrowing, SCALED_RULES, page};
use crate::isa::element::Element::{F16, I32};
use crate::isa::op::form::{Syntax, form};
use pto_kernels::map::BinaryOp;

pub(super) static TADDDEQRELU: Narrowing = Narrowing {
    page: page(
        "tadddeqrelu",
        "Adds two tiles of i32, multiplies by a scale, replaces negative products by zero and narrows to f16, saturating.",
        "dst[i, j] = f16(max(f32(src0[i, j] + src1[i, j]) * 2^-17 * scale * 2^17, 0)), each product rounded to f32",
        "docs/isa/TAddDeqRelu.md",
        Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile, scale: Scalar, tmp: Tile) outs(dst: Tile))]),
        SCALED_RULES,
    ),
    op: BinaryOp::Add,
    pairs: &[(I32, F16)],
    scaled: true,
};
