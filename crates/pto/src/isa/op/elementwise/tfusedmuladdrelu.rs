//! TFUSEDMULADDRELU: multiplies the destination by one tile, adds another and replaces what is negative by zero. The page's
//! formula leaves the relu out; its name and the headers have it.

use super::fused::{FLOATS, Fused, Step, WITH_DST, multiplies, page};

pub(super) static TFUSEDMULADDRELU: Fused = Fused {
    page: page(
        "tfusedmuladdrelu",
        "Multiplies the destination by one tile, adds another and replaces negative results by zero; NaN stays NaN.",
        "dst[i, j] = max(src0[i, j] * dst[i, j] + src1[i, j], 0), rounded once",
        "docs/isa/TFUSEDMULADDRELU.md",
        WITH_DST,
    ),
    step: Step::MultiplyAdd([0, 2, 1]),
    relu: true,
    types: FLOATS,
    defined: multiplies,
};
