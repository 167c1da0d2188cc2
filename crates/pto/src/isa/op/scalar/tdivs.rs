//! TDIVS: divides each element by a scalar, or a scalar by each element, as the operands stand.

use super::family::{EITHER_ORDER, TileScalar, page};
use crate::isa::element::Element::{F16, F32, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::isa::op::common::{Types, precision};
use crate::isa::op::elementwise::BY_SCALAR_UNIT;
use pto_kernels::map::BinaryOp;

pub(super) static TDIVS: TileScalar = TileScalar {
    page: page(
        "tdivs",
        "Divides each element by a scalar, or a scalar by each element, as the operands stand.",
        "dst[i, j] = src[i, j] / scalar, or scalar / src[i, j]; the quotient of integers by zero stops the run, or is 0",
        "docs/isa/tile/ops/tile-scalar-and-immediate/tdivs.md",
        EITHER_ORDER,
    )
    .with(&[precision("div_precision")])
    .touching(BY_SCALAR_UNIT),
    op: BinaryOp::Div,
    types: Types {
        a2a3: &[I32, I16, F16, F32],
        a5: &[U16, I16, U32, I32, F16, F32, I64, U64],
        a2a3_header: &[],
        a5_header: &[U8, I8],
    },
    defined: |element| BinaryOp::Div.applies_to(element),
};
