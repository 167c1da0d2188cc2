//! The reductions of rows: `dst[i, 0] = op over j of src[i, j]`.

use super::family::{RowReduce, row_page};
use super::pictures;
use crate::op::tables::rows;
use pto_num::ReduceOp;

rows! {
    family RowReduce, page row_page, manual "docs/isa/tile/ops/reduce-and-expand/";

    TROWMAX = "trowmax", "Takes the largest element of each row.",
        "dst[i, 0] = max over j of src[i, j]", ReduceOp::Max,
        page.pictured(pictures::ROW_MAX),
        a2a3 [F16, F32, I32, I16], a5 [F16, F32, I32, I64, U64, I16, I8, U8];
    TROWMIN = "trowmin", "Takes the smallest element of each row.",
        "dst[i, 0] = min over j of src[i, j]", ReduceOp::Min,
        page.pictured(pictures::ROW_MIN),
        a2a3 [F16, F32, I32, I16], a5 [F16, F32, I32, I64, U64, I16, I8, U8];
    TROWPROD = "trowprod", "Multiplies the elements of each row.",
        "dst[i, 0] = product over j of src[i, j]", ReduceOp::Prod,
        page.pictured(pictures::ROW_PROD),
        a2a3 [F16, F32, I32, I16], a5 [F16, F32, I32, I16];
    TROWSUM = "trowsum", "Sums each row.",
        "dst[i, 0] = sum over j of src[i, j]", ReduceOp::Sum,
        page.pictured(pictures::ROW_SUM),
        a2a3 [F16, F32, I32, I16], a5 [F16, F32, I32, I64, U64, I16];
}
