//! TDEINTERLEAVE: separates even and odd columns into two tiles.

use super::interleaving::{Interleaving, SINGLE_RULES, Way, column, page};
use crate::op::form::{Syntax, form};
use crate::op::picture::Paint::{First, Second};
use crate::op::picture::{Panel, Picture, arrow};

const TWO: Picture = Picture::tiles(
    "two sources side by side: even columns to dst0, odd ones to dst1",
    &[
        Panel::source(
            "src0",
            (2, 4),
            &[
                column(0, First, &["a0", "a0"]),
                column(1, Second, &["b0", "b0"]),
                column(2, First, &["a1", "a1"]),
                column(3, Second, &["b1", "b1"]),
            ],
        ),
        Panel::source(
            "src1",
            (2, 4),
            &[
                column(0, First, &["a2", "a2"]),
                column(1, Second, &["b2", "b2"]),
                column(2, First, &["a3", "a3"]),
                column(3, Second, &["b3", "b3"]),
            ],
        ),
        Panel::destination(
            "dst0",
            (2, 4),
            &[
                column(0, First, &["a0", "a0"]),
                column(1, First, &["a1", "a1"]),
                column(2, First, &["a2", "a2"]),
                column(3, First, &["a3", "a3"]),
            ],
        ),
        Panel::destination(
            "dst1",
            (2, 4),
            &[
                column(0, Second, &["b0", "b0"]),
                column(1, Second, &["b1", "b1"]),
                column(2, Second, &["b2", "b2"]),
                column(3, Second, &["b3", "b3"]),
            ],
        ),
    ],
    &[
        arrow((0, 0), (2, 0)),
        arrow((0, 1), (3, 0)),
        arrow((0, 2), (2, 1)),
        arrow((0, 3), (3, 1)),
        arrow((1, 0), (2, 2)),
        arrow((1, 1), (3, 2)),
        arrow((1, 2), (2, 3)),
        arrow((1, 3), (3, 3)),
    ],
);

const ONE: Picture = Picture::tiles(
    "one source: the destinations take half its columns each",
    &[
        Panel::source(
            "src",
            (2, 6),
            &[
                column(0, First, &["a0", "a0"]),
                column(1, Second, &["b0", "b0"]),
                column(2, First, &["a1", "a1"]),
                column(3, Second, &["b1", "b1"]),
                column(4, First, &["a2", "a2"]),
                column(5, Second, &["b2", "b2"]),
            ],
        ),
        Panel::destination(
            "dst0",
            (2, 4),
            &[
                column(0, First, &["a0", "a0"]),
                column(1, First, &["a1", "a1"]),
                column(2, First, &["a2", "a2"]),
            ],
        ),
        Panel::destination(
            "dst1",
            (2, 4),
            &[
                column(0, Second, &["b0", "b0"]),
                column(1, Second, &["b1", "b1"]),
                column(2, Second, &["b2", "b2"]),
            ],
        ),
    ],
    &[
        arrow((0, 0), (1, 0)),
        arrow((0, 1), (2, 0)),
        arrow((0, 2), (1, 1)),
        arrow((0, 3), (2, 1)),
        arrow((0, 4), (1, 2)),
        arrow((0, 5), (2, 2)),
    ],
);

pub(super) static TDEINTERLEAVE: Interleaving = Interleaving {
    page: page(
        "tdeinterleave",
        "Puts the even columns of two tiles, or of one, into one destination and the odd columns into another.",
        "with s being the columns of src0 and then those of src1, or those of src: dst0[i, k] = s[i, 2k], dst1[i, k] = s[i, 2k + 1]",
        "docs/isa/TDEINTERLEAVE.md",
        Syntax::Destination(&[
            form!(ins(src0: Tile, src1: Tile) outs(dst0: Tile, dst1: Tile)),
            form!(ins(src: Tile) outs(dst0: Tile, dst1: Tile)).named("one"),
        ]),
        SINGLE_RULES,
        &[TWO, ONE],
    ),
    way: Way::Apart,
};
