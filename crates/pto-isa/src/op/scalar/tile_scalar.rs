//! The instructions on a tile and a scalar: `dst[i, j] = src[i, j] op scalar`.
//!
//! Variants of the family: `TILE_SCALAR_TMP`, an optional workspace; `RULES_WORKSPACE`, a workspace that A2/A3
//! needs; `RULES_APART` and `RULES_WORKSPACE_APART`, tiles that must not overlap; an attribute that selects the
//! precision.

use super::family::{
    EITHER_ORDER, OF_REMAINDER, RULES_APART, RULES_WORKSPACE, RULES_WORKSPACE_APART, TILE_SCALAR_TMP,
    TileScalar, page,
};
use crate::op::common::precision;
use crate::op::cost;
use crate::op::elementwise::BY_SCALAR_UNIT;
use crate::op::tables::rows;
use pto_num::BinaryOp;

rows! {
    family TileScalar, page page, manual "docs/isa/tile/ops/tile-scalar-and-immediate/";

    TADDS = "tadds", "Adds a scalar to each element.",
        "dst[i, j] = src[i, j] + scalar", BinaryOp::Add,
        a2a3 [I32, I16, F16, F32],
        a5 [U8, I8, U16, I16, U32, I32, F16, F32, Bf16] header [I64, U64];
    TANDS = "tands", "Ands the bits of each element with a scalar.",
        "dst[i, j] = src[i, j] & scalar", BinaryOp::And,
        page.ruled(RULES_APART),
        a2a3 [I8, U8, I16, U16], a5 [I8, I16, I32, U8, U16, U32];
    // The scalar may be the dividend; the scalar unit of A2/A3 computes integer division.
    TDIVS = "tdivs", "Divides each element by a scalar, or a scalar by each element, in the order of the operands.",
        "dst[i, j] = src[i, j] / scalar, or scalar / src[i, j]; an integer quotient by zero stops the run, or is 0 with \
         --on-division-by-zero zero",
        BinaryOp::Div,
        page.costing(cost::QUOTIENT_WITH_SCALAR).written(EITHER_ORDER).with(&[precision("div_precision")]).touching(BY_SCALAR_UNIT),
        a2a3 [I32, I16, F16, F32],
        a5 [U16, I16, U32, I32, F16, F32, I64, U64] header [U8, I8];
    TFMODS = "tfmods", "Remainder of each element by a scalar, with the sign of the element.",
        "dst[i, j] = src[i, j] - trunc(src[i, j] / scalar) * scalar; an integer remainder by zero stops the run, or is 0 with \
         --on-division-by-zero zero",
        BinaryOp::Fmod,
        page.costing(cost::SEVERAL).written(TILE_SCALAR_TMP),
        a2a3 [F32], a5 [F32, F16] header [I32, U32, I16, U16];
    // The scalar is the slope for negative elements.
    TLRELU = "tlrelu", "Multiplies negative elements by a scalar.",
        "dst[i, j] = src[i, j] >= 0 ? src[i, j] : src[i, j] * scalar", BinaryOp::Prelu,
        a2a3 [F16, F32], a5 [F16, F32];
    TMAXS = "tmaxs", "Takes the larger of each element and a scalar.",
        "dst[i, j] = max(src[i, j], scalar)", BinaryOp::Max,
        page.costing(cost::ONE_SOURCE),
        a2a3 [I32, I16, F16, F32],
        a5 [U8, I8, U16, I16, U32, I32, F16, F32, Bf16] header [I64, U64];
    TMINS = "tmins", "Takes the smaller of each element and a scalar.",
        "dst[i, j] = min(src[i, j], scalar)", BinaryOp::Min,
        page.costing(cost::ONE_SOURCE),
        a2a3 [I32, I16, F16, F32],
        a5 [U8, I8, U16, I16, U32, I32, F16, F32, Bf16] header [I64, U64];
    TMULS = "tmuls", "Multiplies each element by a scalar.",
        "dst[i, j] = src[i, j] * scalar", BinaryOp::Mul,
        a2a3 [I32, I16, F16, F32],
        a5 [U16, I16, U32, I32, F16, F32, Bf16] header [I64, U64];
    TORS = "tors", "Ors the bits of each element with a scalar.",
        "dst[i, j] = src[i, j] | scalar", BinaryOp::Or,
        page.ruled(RULES_APART),
        a2a3 [I8, U8, I16, U16], a5 [I8, I16, I32, U8, U16, U32];
    TPOWS = "tpows", "Raises elements to the power of a scalar.",
        "dst[i, j] = src[i, j] ^ scalar", BinaryOp::Pow,
        page.costing(cost::SEVERAL).written(TILE_SCALAR_TMP).ruled(RULES_WORKSPACE).with(&[precision("pow_precision")]),
        a2a3 [F32, I8, I16, I32, U8, U16, U32], a5 [F16, F32, Bf16, I8, I16, I32, U8, U16, U32];
    TREMS = "trems", "Remainder of each element by a scalar, with the sign of the scalar. A2/A3 overwrite a source of i32.",
        "dst[i, j] = src[i, j] - floor(src[i, j] / scalar) * scalar; on A5, trunc instead of floor for 64-bit elements; an \
         integer remainder by zero stops the run, or is 0 with --on-division-by-zero zero",
        BinaryOp::Rem,
        page.costing(cost::SEVERAL).written(TILE_SCALAR_TMP).ruled(OF_REMAINDER),
        a2a3 [F32, I32], a5 [F32, I32, U32, F16, I16, U16, I64, U64];
    TSHLS = "tshls", "Shifts each element left by a scalar.",
        "dst[i, j] = src[i, j] << scalar; on A5, 64-bit elements are shifted by the amount modulo 64", BinaryOp::Shl,
        a2a3 [I32, I16, U32, U16], a5 [I8, I16, I32, U8, U16, U32, I64, U64];
    TSHRS = "tshrs", "Shifts each element right by a scalar, arithmetically if it is signed.",
        "dst[i, j] = src[i, j] >> scalar; on A5, 64-bit elements are shifted by the amount modulo 64", BinaryOp::Shr,
        a2a3 [I32, I16, U32, U16], a5 [I8, I16, I32, U8, U16, U32, I64, U64];
    TSUBS = "tsubs", "Subtracts a scalar from each element.",
        "dst[i, j] = src[i, j] - scalar", BinaryOp::Sub,
        a2a3 [I32, I16, F16, F32],
        a5 [U8, I8, U16, I16, U32, I32, F16, F32, Bf16] header [I64, U64];
    TXORS = "txors", "Xors the bits of each element with a scalar.",
        "dst[i, j] = src[i, j] ^ scalar", BinaryOp::Xor,
        page.written(TILE_SCALAR_TMP).ruled(RULES_WORKSPACE_APART),
        a2a3 [I8, I16, I32, U8, U16, U32], a5 [I8, I16, I32, U8, U16, U32];
}
