//! TINTERLEAVE: interleaves the columns of two tiles.

use super::interleaving::{Interleaving, RULES, Way, column, page};
use crate::op::form::{Syntax, form};
use crate::op::picture::Paint::{First, Second};
use crate::op::picture::{Panel, Picture, arrow};

const PICTURE: Picture = Picture::tiles(
    "columns of the sources alternate, first in dst0, then in dst1",
    &[
        Panel::source(
            "src0",
            (2, 4),
            &[
                column(0, First, &["a0", "a0"]),
                column(1, First, &["a1", "a1"]),
                column(2, First, &["a2", "a2"]),
                column(3, First, &["a3", "a3"]),
            ],
        ),
        Panel::source(
            "src1",
            (2, 4),
            &[
                column(0, Second, &["b0", "b0"]),
                column(1, Second, &["b1", "b1"]),
                column(2, Second, &["b2", "b2"]),
                column(3, Second, &["b3", "b3"]),
            ],
        ),
        Panel::destination(
            "dst0",
            (2, 4),
            &[
                column(0, First, &["a0", "a0"]),
                column(1, Second, &["b0", "b0"]),
                column(2, First, &["a1", "a1"]),
                column(3, Second, &["b1", "b1"]),
            ],
        ),
        Panel::destination(
            "dst1",
            (2, 4),
            &[
                column(0, First, &["a2", "a2"]),
                column(1, Second, &["b2", "b2"]),
                column(2, First, &["a3", "a3"]),
                column(3, Second, &["b3", "b3"]),
            ],
        ),
    ],
    &[
        arrow((0, 0), (2, 0)),
        arrow((1, 0), (2, 1)),
        arrow((0, 1), (2, 2)),
        arrow((1, 1), (2, 3)),
        arrow((0, 2), (3, 0)),
        arrow((1, 2), (3, 1)),
        arrow((0, 3), (3, 2)),
        arrow((1, 3), (3, 3)),
    ],
);

pub(super) static TINTERLEAVE: Interleaving = Interleaving {
    page: page(
        "tinterleave",
        "Interleaves the columns of two tiles, with the first half of the result in one destination and the second half in another.",
        "with s[i, 2k] = src0[i, k] and s[i, 2k + 1] = src1[i, k]: dst0[i, j] = s[i, j], dst1[i, j] = s[i, m + j], m being the valid columns, rounded down to pairs",
        "docs/isa/TINTERLEAVE.md",
        Syntax::Destination(&[form!(ins(src0: Tile, src1: Tile) outs(dst0: Tile, dst1: Tile))]),
        RULES,
        &[PICTURE],
    ),
    way: Way::Together,
};
