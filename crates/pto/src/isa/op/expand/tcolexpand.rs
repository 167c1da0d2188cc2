//! TCOLEXPAND: repeats the first row down the tile.

use super::pictures::COLUMN_SPREAD;
use super::spread::{Along, COL_EFFECTS, COL_RULES, Spread, page};

pub(super) static TCOLEXPAND: Spread = Spread {
    page: page(
        "tcolexpand",
        "Repeats the first row down the tile.",
        "dst[i, j] = src[0, j]",
        "docs/isa/tile/ops/reduce-and-expand/tcolexpand.md",
        COL_RULES,
        COL_EFFECTS,
    )
    .pictured(&[COLUMN_SPREAD]),
    along: Along::Columns,
};
