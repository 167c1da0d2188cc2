//! The instructions with two tile sources: `dst[i, j] = src0[i, j] op src1[i, j]`.
//!
//! Variants of the family: `TWO_TMP`, an optional workspace; `WITH_WORKSPACE`, a workspace that A2/A3 needs;
//! `WITH_WORKSPACE_APART`, a workspace and tiles that must not overlap; `BY_SCALAR_UNIT`, integers computed by the
//! scalar unit of A2/A3; an attribute that selects the precision.

use super::family::{
    BY_SCALAR_UNIT, Binary, OF_REMAINDER, TWO_TMP, WITH_WORKSPACE, WITH_WORKSPACE_APART, binary_page,
};
use crate::op::common::precision;
use crate::op::cost;
use crate::op::tables::rows;
use pto_num::BinaryOp;

rows! {
    family Binary, page binary_page, manual "docs/isa/tile/ops/elementwise-tile-tile/";

    TADD = "tadd", "Adds two tiles.",
        "dst[i, j] = src0[i, j] + src1[i, j]", BinaryOp::Add,
        a2a3 [I32, I16, F16, F32] header [Bf16],
        a5 [U8, I8, U16, I16, U32, I32, F16, F32, Bf16] header [I64, U64];
    TAND = "tand", "Ands the bits of two tiles.",
        "dst[i, j] = src0[i, j] & src1[i, j]", BinaryOp::And,
        a2a3 [I8, I16, I32, U8, U16, U32], a5 [I8, I16, I32, U8, U16, U32];
    TDIV = "tdiv", "Divides a tile by a tile element by element.",
        "dst[i, j] = src0[i, j] / src1[i, j]; an integer quotient by zero stops the run, or is 0 with --on-division-by-zero \
         zero",
        BinaryOp::Div,
        page.costing(cost::QUOTIENT).with(&[precision("div_precision")]),
        a2a3 [F16, F32],
        a5 [I32, U32, F32, I16, U16, F16] header [I64, U64];
    TFMOD = "tfmod", "Remainder with the sign of the dividend.",
        "dst[i, j] = src0[i, j] - trunc(src0[i, j] / src1[i, j]) * src1[i, j]; an integer remainder by zero stops the run, or \
         is 0 with --on-division-by-zero zero",
        BinaryOp::Fmod,
        page.costing(cost::SEVERAL).written(TWO_TMP).with(&[precision("fmod_precision")]),
        a2a3 [F32] header [I32, U32, I16, U16],
        a5 [F32, I32, U32, F16, I16, U16];
    TMAX = "tmax", "Takes the larger of two elements; NaN propagates.",
        "dst[i, j] = max(src0[i, j], src1[i, j])", BinaryOp::Max,
        a2a3 [I32, I16, F16, F32],
        a5 [U32, I32, U16, I16, U8, I8, F32, F16] header [Bf16, I64, U64];
    TMIN = "tmin", "Takes the smaller of two elements; NaN propagates.",
        "dst[i, j] = min(src0[i, j], src1[i, j])", BinaryOp::Min,
        a2a3 [I32, I16, F16, F32],
        a5 [U32, I32, U16, I16, U8, I8, F32, F16] header [Bf16, I64, U64];
    TMUL = "tmul", "Multiplies two tiles element by element.",
        "dst[i, j] = src0[i, j] * src1[i, j]", BinaryOp::Mul,
        page.costing(cost::PRODUCT),
        a2a3 [I32, I16, F16, F32],
        a5 [I32, U32, F32, I16, U16, F16, Bf16] header [I64, U64];
    TOR = "tor", "Ors the bits of two tiles.",
        "dst[i, j] = src0[i, j] | src1[i, j]", BinaryOp::Or,
        a2a3 [I8, I16, I32, U8, U16, U32], a5 [I8, I16, I32, U8, U16, U32];
    TPOW = "tpow", "Raises elements to the power of elements.",
        "dst[i, j] = src0[i, j] ^ src1[i, j]", BinaryOp::Pow,
        page.costing(cost::SEVERAL).written(TWO_TMP)
            .ruled(WITH_WORKSPACE)
            .touching(BY_SCALAR_UNIT)
            .with(&[precision("pow_precision")]),
        a2a3 [F32, I8, I16, I32, U8, U16, U32], a5 [F16, F32, Bf16, I8, I16, I32, U8, U16, U32];
    TPRELU = "tprelu", "Multiplies negative elements by their slope.",
        "dst[i, j] = src0[i, j] > 0 ? src0[i, j] : src0[i, j] * src1[i, j]", BinaryOp::Prelu,
        page.costing(cost::SEVERAL).written(TWO_TMP).ruled(WITH_WORKSPACE_APART),
        a2a3 [F16, F32], a5 [F16, F32];
    TREM = "trem", "Remainder with the sign of the divisor. A2/A3 overwrite sources of i32.",
        "dst[i, j] = src0[i, j] - floor(src0[i, j] / src1[i, j]) * src1[i, j]; on A5, trunc instead of floor for 64-bit \
         elements; an integer remainder by zero stops the run, or is 0 with --on-division-by-zero zero",
        BinaryOp::Rem,
        page.costing(cost::SEVERAL).written(TWO_TMP).ruled(OF_REMAINDER).with(&[precision("rem_precision")]),
        a2a3 [F32, I32],
        a5 [F32, I32, U32, F16, I16, U16] header [I64, U64];
    TSHL = "tshl", "Shifts elements left.",
        "dst[i, j] = src0[i, j] << src1[i, j]; on A5, 64-bit elements are shifted by the amount modulo 64", BinaryOp::Shl,
        page.touching(BY_SCALAR_UNIT),
        a2a3 [I8, I16, I32, U8, U16, U32],
        a5 [I8, I16, I32, U8, U16, U32] header [I64, U64];
    TSHR = "tshr", "Shifts elements right, arithmetically if they are signed.",
        "dst[i, j] = src0[i, j] >> src1[i, j]; on A5, 64-bit elements are shifted by the amount modulo 64", BinaryOp::Shr,
        page.touching(BY_SCALAR_UNIT),
        a2a3 [I8, I16, I32, U8, U16, U32],
        a5 [I8, I16, I32, U8, U16, U32] header [I64, U64];
    TSUB = "tsub", "Subtracts a tile from a tile.",
        "dst[i, j] = src0[i, j] - src1[i, j]", BinaryOp::Sub,
        a2a3 [I32, I16, F16, F32],
        a5 [U32, I32, U16, I16, U8, I8, F32, F16] header [Bf16, I64, U64];
    TXOR = "txor", "Xors the bits of two tiles.",
        "dst[i, j] = src0[i, j] ^ src1[i, j]", BinaryOp::Xor,
        page.written(TWO_TMP).ruled(WITH_WORKSPACE_APART),
        a2a3 [I8, I16, I32, U8, U16, U32], a5 [I8, I16, I32, U8, U16, U32];
}
