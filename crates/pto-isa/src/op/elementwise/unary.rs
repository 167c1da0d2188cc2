//! The instructions with one tile source: `dst[i, j] = op(src[i, j])`.
//!
//! Elementary functions have an attribute that selects the precision.

use super::family::{BY_SCALAR_UNIT, Unary, unary_page};
use crate::op::common::precision;
use crate::op::cost;
use crate::op::effect::Effect;
use crate::op::tables::rows;
use pto_num::UnaryOp;

rows! {
    family Unary, page unary_page, manual "docs/isa/tile/ops/elementwise-tile-tile/";

    TABS = "tabs", "Takes magnitudes; -0 becomes +0.",
        "dst[i, j] = |src[i, j]|", UnaryOp::Abs,
        a2a3 [F32, F16], a5 [F32, F16, I32, I16, I8];
    TEXP = "texp", "Raises e to the power of each element.",
        "dst[i, j] = exp(src[i, j])", UnaryOp::Exp,
        page.costing(cost::EXPONENTIAL).with(&[precision("exp_precision")]),
        a2a3 [F16, F32], a5 [F16, F32];
    TLOG = "tlog", "Takes natural logarithms.",
        "dst[i, j] = ln(src[i, j])", UnaryOp::Log,
        page.costing(cost::LOGARITHM).with(&[precision("log_precision")]),
        a2a3 [F16, F32], a5 [F16, F32];
    TNEG = "tneg", "Negates elements.",
        "dst[i, j] = -src[i, j]", UnaryOp::Neg,
        a2a3 [I32, I16, F16, F32], a5 [I32, I16, U32, U16, F16, F32, Bf16];
    TNOT = "tnot", "Complements the bits of elements.",
        "dst[i, j] = ~src[i, j]", UnaryOp::Not,
        a2a3 [I8, I16, I32, U8, U16, U32], a5 [I8, I16, I32, U8, U16, U32];
    // The scalar unit of A2/A3 computes integer reciprocals.
    TRECIP = "trecip", "Takes reciprocals.",
        "dst[i, j] = 1 / src[i, j]; the reciprocal of an integer truncates: 1 for 1, -1 for -1, 0 for others; the reciprocal of \
         an integer zero stops the run, or is 0 with --on-division-by-zero zero",
        UnaryOp::Recip,
        page.costing(cost::QUOTIENT).with(&[precision("recip_precision")]).touching(BY_SCALAR_UNIT),
        a2a3 [F16, F32, I16, I32], a5 [F16, F32, I16, I32];
    TRELU = "trelu", "Replaces negative elements by zero; NaN stays NaN.",
        "dst[i, j] = max(src[i, j], 0)", UnaryOp::Relu,
        a2a3 [F16, F32, I32], a5 [F16, F32, I32];
    // A5 uses the workspace of TRSQRT.
    TRSQRT = "trsqrt", "Takes reciprocal square roots.",
        "dst[i, j] = 1 / sqrt(src[i, j]); on A5 the root is rounded before the division", UnaryOp::Rsqrt,
        page.costing(cost::RECIPROCAL_ROOT).with(&[precision("rsqrt_precision")])
            .touching(&[Effect::reads("src"), Effect::destroys("tmp"), Effect::writes("dst")]),
        a2a3 [F16, F32], a5 [F16, F32];
    TSQRT = "tsqrt", "Takes square roots.",
        "dst[i, j] = sqrt(src[i, j])", UnaryOp::Sqrt,
        page.costing(cost::EXPONENTIAL).with(&[precision("sqrt_precision")]),
        a2a3 [F16, F32], a5 [F16, F32];
}
