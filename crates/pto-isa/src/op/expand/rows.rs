//! The instructions on a tile and one element per row.

use super::row::{RowExpand, row_page};
use crate::op::common::precision;
use crate::op::cost;
use crate::op::tables::rows;
use pto_num::BinaryOp;

rows! {
    family RowExpand, page row_page, manual "docs/isa/tile/ops/reduce-and-expand/";

    // The seed page lists the six types of A5; docs/isa/TROWEXPANDADD.md and the header also list bf16, i8 and
    // ui8.
    TROWEXPANDADD = "trowexpandadd", "Adds one element per row to a tile.",
        "dst[i, j] = src0[i, j] + src1[i, j], one source repeated along each row", BinaryOp::Add,
        a2a3 [F16, F32, I16, I32],
        a5 [F16, F32, I16, I32, U16, U32] header [Bf16, I8, U8];
    TROWEXPANDDIV = "trowexpanddiv", "Divides a tile by one element per row; with swapped operands, the reverse.",
        "dst[i, j] = src0[i, j] / src1[i, j], one source repeated along each row", BinaryOp::Div,
        page.with(&[precision("div_precision")]),
        a2a3 [F16, F32], a5 [F16, F32, I16, I32, U16, U32, Bf16, I8, U8];
    TROWEXPANDEXPDIF = "trowexpandexpdif", "Takes the exponential of the difference of a tile and one element per row.",
        "dst[i, j] = exp(src0[i, j] - src1[i, j]), one source repeated along each row", BinaryOp::ExpDif,
        page.costing(cost::EXPONENTIAL_OF_DIFFERENCE),
        a2a3 [F16, F32], a5 [F16, F32];
    TROWEXPANDMAX = "trowexpandmax", "Takes the larger of a tile and one element per row.",
        "dst[i, j] = max(src0[i, j], src1[i, j]), one source repeated along each row", BinaryOp::Max,
        a2a3 [F16, F32, I16, I32], a5 [F16, F32, I16, I32, U16, U32, Bf16, I8, U8];
    TROWEXPANDMIN = "trowexpandmin", "Takes the smaller of a tile and one element per row.",
        "dst[i, j] = min(src0[i, j], src1[i, j]), one source repeated along each row", BinaryOp::Min,
        a2a3 [F16, F32, I16, I32], a5 [F16, F32, I16, I32, U16, U32, Bf16, I8, U8];
    TROWEXPANDMUL = "trowexpandmul", "Multiplies a tile by one element per row.",
        "dst[i, j] = src0[i, j] * src1[i, j], one source repeated along each row", BinaryOp::Mul,
        a2a3 [F16, F32, I16, I32], a5 [F16, F32, I16, I32, U16, U32, Bf16, I8, U8];
    TROWEXPANDSUB = "trowexpandsub", "Subtracts one element per row from a tile; with swapped operands, the reverse.",
        "dst[i, j] = src0[i, j] - src1[i, j], one source repeated along each row", BinaryOp::Sub,
        a2a3 [F16, F32, I16, I32], a5 [F16, F32, I16, I32, U16, U32, Bf16, I8, U8];
}
