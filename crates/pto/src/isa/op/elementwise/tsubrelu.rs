//! TSUBRELU: subtracts two tiles and replaces negative differences by zero.

use super::family::SOURCES_TO_DST;
use super::fused::{FLOATS, Fused, Step, page};
use pto_kernels::map::BinaryOp;

pub(super) static TSUBRELU: Fused = Fused {
    page: page(
        "tsubrelu",
        "Subtracts two tiles and replaces negative differences by zero; NaN stays NaN.",
        "dst[i, j] = max(src0[i, j] - src1[i, j], 0)",
        "docs/isa/TSUBRELU.md",
        SOURCES_TO_DST,
    ),
    step: Step::Binary(BinaryOp::Sub),
    relu: true,
    types: FLOATS,
    defined: |element| BinaryOp::Sub.applies_to(element),
};
