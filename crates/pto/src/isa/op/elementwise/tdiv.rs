//! TDIV: divides a tile by a tile element by element.

use super::family::{Binary, TWO, page};
use crate::isa::element::Element::{F16, F32, I16, I32, I64, U16, U32, U64};
use crate::isa::op::common::{Types, precision};
use pto_kernels::map::BinaryOp;

pub(super) static TDIV: Binary = Binary {
    page: page(
        "tdiv",
        "Divides a tile by a tile element by element.",
        "dst[i, j] = src0[i, j] / src1[i, j]; the quotient of integers by zero stops the run, or is 0",
        "docs/isa/tile/ops/elementwise-tile-tile/tdiv.md",
        TWO,
    )
    .with(&[precision("div_precision")]),
    op: BinaryOp::Div,
    types: Types {
        a2a3: &[F16, F32],
        a5: &[I32, U32, F32, I16, U16, F16],
        a2a3_header: &[],
        a5_header: &[I64, U64],
    },
    defined: |element| BinaryOp::Div.applies_to(element),
};
