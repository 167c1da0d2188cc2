//! Pictures of quantizations: one parameter for each row.

use crate::element::Element::{F32, I8};
use crate::op::picture::{Arrow, Paint, Panel, Patch, Picture, arrow, arrow_with};

const VALUES: &[Patch] =
    &[Patch::new((0, 0), (1, 4), Paint::First, "row 0"), Patch::new((1, 0), (1, 4), Paint::Second, "row 1")];
const ONE_EACH: &[Patch] = &[
    Patch::new((0, 0), (1, 1), Paint::First, "of row 0"),
    Patch::new((1, 0), (1, 1), Paint::Second, "of row 1"),
];

/// Arrows through the panels src, a parameter and dst.
const THROUGH_ONE: &[Arrow] = &[
    arrow_with((0, 0), (1, 0), "times"),
    arrow_with((0, 1), (1, 1), "times"),
    arrow_with((1, 0), (2, 0), "round"),
    arrow_with((1, 1), (2, 1), "round"),
];
/// Arrows through the panels src, two parameters and dst.
const THROUGH_TWO: &[Arrow] = &[
    arrow_with((0, 0), (1, 0), "less"),
    arrow_with((0, 1), (1, 1), "less"),
    arrow_with((1, 0), (2, 0), "times"),
    arrow_with((1, 1), (2, 1), "times"),
    arrow((2, 0), (3, 0)),
    arrow((2, 1), (3, 1)),
];

pub(super) const TQUANT: &[Picture] = &[Picture::tiles(
    "each row times its scale, to the nearest integer",
    &[
        Panel::source("src", (2, 4), VALUES).holding(F32, &[1.0, 2.25, -3.0, 70.0, 1.0, 3.0, -8.0, 70.0]).at(0, 0),
        Panel::source("scale", (2, 1), ONE_EACH).holding(F32, &[2.0, 0.5]).at(0, 1),
        Panel::destination("dst", (2, 4), VALUES)
            .holding(I8, &[2.0, 4.0, -6.0, 127.0, 0.0, 2.0, -4.0, 35.0])
            .at(0, 2),
    ],
    THROUGH_ONE,
)
.with("quant_type = #pto<quant_type INT8_SYM>")
.noted("2.25 * 2 = 4.5 and 3 * 0.5 = 1.5 go to the even neighbour; 70 * 2 = 140 is more than i8 holds and becomes 127.")];

pub(super) const TDEQUANT: &[Picture] = &[Picture::tiles(
    "each row less its offset, times its scale",
    &[
        Panel::source("src", (2, 4), VALUES)
            .holding(I8, &[2.0, 4.0, -6.0, 127.0, 0.0, 2.0, -4.0, 35.0])
            .at(0, 0),
        Panel::source("offset", (2, 1), ONE_EACH).holding(F32, &[0.0, 3.0]).at(0, 1),
        Panel::source("scale", (2, 1), ONE_EACH).holding(F32, &[0.5, 2.0]).at(0, 2),
        Panel::destination("dst", (2, 4), VALUES)
            .holding(F32, &[1.0, 2.0, -3.0, 63.5, -6.0, -2.0, -14.0, 64.0])
            .at(0, 3),
    ],
    THROUGH_TWO,
)];
