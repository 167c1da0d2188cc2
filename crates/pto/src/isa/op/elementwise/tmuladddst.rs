//! TMULADDDST: adds the product of two tiles to the destination.

use super::fused::{FLOATS, Fused, Step, WITH_DST, multiplies, page};

pub(super) static TMULADDDST: Fused = Fused {
    page: page(
        "tmuladddst",
        "Adds the product of two tiles to the destination.",
        "dst[i, j] = src0[i, j] * src1[i, j] + dst[i, j], rounded once",
        "docs/isa/TMULADDDST.md",
        WITH_DST,
    ),
    step: Step::MultiplyAdd([0, 1, 2]),
    relu: false,
    types: FLOATS,
    defined: multiplies,
};
