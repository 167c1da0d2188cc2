//! TREM: remainder with the sign of the divisor.

use super::family::{Binary, TWO_TMP, WITH_WORKSPACE, page};
use crate::isa::element::Element::{F16, F32, I16, I32, I64, U16, U32, U64};
use crate::isa::op::common::{Types, precision};
use pto_kernels::map::BinaryOp;

pub(super) static TREM: Binary = Binary {
    page: page(
        "trem",
        "Remainder with the sign of the divisor.",
        "dst[i, j] = src0[i, j] - floor(src0[i, j] / src1[i, j]) * src1[i, j]; the remainder of integers by zero stops the run, or is 0",
        "docs/isa/tile/ops/elementwise-tile-tile/trem.md",
        TWO_TMP,
    )
    .ruled(WITH_WORKSPACE)
    .with(&[precision("rem_precision")]),
    op: BinaryOp::Rem,
    types: Types {
        a2a3: &[F32, I32],
        a5: &[F32, I32, U32, F16, I16, U16],
        a2a3_header: &[],
        a5_header: &[I64, U64],
    },
    defined: |element| BinaryOp::Rem.applies_to(element),
};
