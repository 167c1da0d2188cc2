//! TFUSEDMULADD: multiplies the destination by one tile and adds another.

use super::fused::{FLOATS, Fused, Step, WITH_DST, multiplies, page};

pub(super) static TFUSEDMULADD: Fused = Fused {
    page: page(
        "tfusedmuladd",
        "Multiplies the destination by one tile and adds another.",
        "dst[i, j] = src0[i, j] * dst[i, j] + src1[i, j], rounded once",
        "docs/isa/TFUSEDMULADD.md",
        WITH_DST,
    ),
    step: Step::MultiplyAdd([0, 2, 1]),
    relu: false,
    types: FLOATS,
    defined: multiplies,
};
