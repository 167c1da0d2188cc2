//! TROWEXPAND: repeats the first element of each row along it.

use super::pictures::ROW_SPREAD;
use super::spread::{Along, ROW_EFFECTS, ROW_RULES, Spread, page};

pub(super) static TROWEXPAND: Spread = Spread {
    page: page(
        "trowexpand",
        "Repeats the first element of each row along it.",
        "dst[i, j] = src[i, 0]",
        "docs/isa/tile/ops/reduce-and-expand/trowexpand.md",
        ROW_RULES,
        ROW_EFFECTS,
    )
    .pictured(&[ROW_SPREAD]),
    along: Along::Rows,
};
