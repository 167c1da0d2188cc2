//! The instructions on a tile and one element per column.

use super::column::{ColExpand, col_page};
use crate::op::common::precision;
use crate::op::cost;
use crate::op::tables::rows;
use pto_num::BinaryOp;

rows! {
    family ColExpand, page col_page, manual "docs/isa/tile/ops/reduce-and-expand/";

    TCOLEXPANDADD = "tcolexpandadd", "Adds one element per column to a tile.",
        "dst[i, j] = src0[i, j] + src1[i, j], one source repeated down each column", BinaryOp::Add,
        a2a3 [F16, F32, I16, I32], a5 [F16, F32, I16, I32, U16, U32, Bf16, I8, U8];
    TCOLEXPANDDIV = "tcolexpanddiv", "Divides a tile by one element per column; with swapped operands, the reverse.",
        "dst[i, j] = src0[i, j] / src1[i, j], one source repeated down each column", BinaryOp::Div,
        page.with(&[precision("div_precision")]),
        a2a3 [F16, F32], a5 [F16, F32, I16, I32, U16, U32, Bf16, I8, U8];
    TCOLEXPANDEXPDIF = "tcolexpandexpdif", "Takes the exponential of the difference of a tile and one element per column.",
        "dst[i, j] = exp(src0[i, j] - src1[i, j]), one source repeated down each column", BinaryOp::ExpDif,
        page.costing(cost::EXPONENTIAL_OF_DIFFERENCE),
        a2a3 [F16, F32], a5 [F16, F32];
    TCOLEXPANDMAX = "tcolexpandmax", "Takes the larger of a tile and one element per column.",
        "dst[i, j] = max(src0[i, j], src1[i, j]), one source repeated down each column", BinaryOp::Max,
        a2a3 [F16, F32, I16, I32], a5 [F16, F32, I16, I32, U16, U32, Bf16, I8, U8];
    TCOLEXPANDMIN = "tcolexpandmin", "Takes the smaller of a tile and one element per column.",
        "dst[i, j] = min(src0[i, j], src1[i, j]), one source repeated down each column", BinaryOp::Min,
        a2a3 [F16, F32, I16, I32], a5 [F16, F32, I16, I32, U16, U32, Bf16, I8, U8];
    TCOLEXPANDMUL = "tcolexpandmul", "Multiplies a tile by one element per column.",
        "dst[i, j] = src0[i, j] * src1[i, j], one source repeated down each column", BinaryOp::Mul,
        a2a3 [F16, F32, I16, I32], a5 [F16, F32, I16, I32, U16, U32, Bf16, I8, U8];
    TCOLEXPANDSUB = "tcolexpandsub", "Subtracts one element per column from a tile; with swapped operands, the reverse.",
        "dst[i, j] = src0[i, j] - src1[i, j], one source repeated down each column", BinaryOp::Sub,
        a2a3 [F16, F32, I16, I32], a5 [F16, F32, I16, I32, U16, U32, Bf16, I8, U8];
}
