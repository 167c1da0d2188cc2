//! TPOW: raises elements to the power of elements.

use super::family::{BY_SCALAR_UNIT, Binary, TWO_TMP, WITH_WORKSPACE, page};
use crate::isa::element::Element::{Bf16, F16, F32, I8, I16, I32, U8, U16, U32};
use crate::isa::op::common::{Types, precision};
use pto_kernels::map::BinaryOp;

pub(super) static TPOW: Binary = Binary {
    page: page(
        "tpow",
        "Raises elements to the power of elements.",
        "dst[i, j] = src0[i, j] ^ src1[i, j]",
        "docs/isa/tile/ops/elementwise-tile-tile/tpow.md",
        TWO_TMP,
    )
    .ruled(WITH_WORKSPACE)
    .touching(BY_SCALAR_UNIT)
    .with(&[precision("pow_precision")]),
    op: BinaryOp::Pow,
    types: Types {
        a2a3: &[F32, I8, I16, I32, U8, U16, U32],
        a5: &[F16, F32, Bf16, I8, I16, I32, U8, U16, U32],
        a2a3_header: &[],
        a5_header: &[],
    },
    defined: |element| BinaryOp::Pow.applies_to(element),
};
