//! TFMOD: remainder with the sign of the dividend.

use super::family::{Binary, TWO_TMP, page};
use crate::isa::element::Element::{F16, F32, I16, I32, U16, U32};
use crate::isa::op::common::{Types, precision};
use pto_kernels::map::BinaryOp;

pub(super) static TFMOD: Binary = Binary {
    page: page(
        "tfmod",
        "Remainder with the sign of the dividend.",
        "dst[i, j] = src0[i, j] - trunc(src0[i, j] / src1[i, j]) * src1[i, j]; the remainder of integers by zero stops the run, or is 0",
        "docs/isa/tile/ops/elementwise-tile-tile/tfmod.md",
        TWO_TMP,
    )
    .with(&[precision("fmod_precision")]),
    op: BinaryOp::Fmod,
    types: Types {
        a2a3: &[F32],
        a5: &[F32, I32, U32, F16, I16, U16],
        a2a3_header: &[I32, U32, I16, U16],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Fmod.applies_to(element),
};
