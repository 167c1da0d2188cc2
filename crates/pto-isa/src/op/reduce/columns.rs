//! The reductions of columns: `dst[0, j] = op over i of src[i, j]`.

use super::family::{COL_SUM_RULES, ColReduce, column_page};
use super::pictures;
use crate::op::attribute::AttributeSpec;
use crate::op::tables::rows;
use pto_num::ReduceOp;

const IS_BINARY: AttributeSpec = AttributeSpec::boolean(
    "isBinary",
    "Whether the device adds rows in pairs; sums here have a single order, which `docs/numerics.md` defines.",
)
.or_bool(false);

rows! {
    family ColReduce, page column_page, manual "docs/isa/tile/ops/reduce-and-expand/";

    TCOLMAX = "tcolmax", "Takes the largest element of each column.",
        "dst[0, j] = max over i of src[i, j]", ReduceOp::Max,
        page.pictured(pictures::COLUMN_MAX),
        a2a3 [F16, F32, I32, I16], a5 [F16, F32, Bf16, I8, U8, I16, U16, I32, U32, I64, U64];
    TCOLMIN = "tcolmin", "Takes the smallest element of each column.",
        "dst[0, j] = min over i of src[i, j]", ReduceOp::Min,
        page.pictured(pictures::COLUMN_MIN),
        a2a3 [F16, F32, I32, I16], a5 [F16, F32, Bf16, I8, U8, I16, U16, I32, U32, I64, U64];
    TCOLPROD = "tcolprod", "Multiplies the elements of each column.",
        "dst[0, j] = product over i of src[i, j]", ReduceOp::Prod,
        page.pictured(pictures::COLUMN_PROD),
        a2a3 [F16, F32, I32, I16], a5 [F16, F32, Bf16, I16, U16, I32, U32];
    // TCOLSUM is the only column reduction with a workspace on A2/A3 and with a choice of summation order.
    TCOLSUM = "tcolsum", "Sums each column.",
        "dst[0, j] = sum over i of src[i, j]", ReduceOp::Sum,
        page.ruled(COL_SUM_RULES).with(&[IS_BINARY]).pictured(pictures::COLUMN_SUM),
        a2a3 [F16, F32, I32, I16], a5 [F16, F32, Bf16, I8, U8, I16, U16, I32, U32, I64, U64];
}
