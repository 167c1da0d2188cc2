//! Pictures of loads and stores.

use crate::op::picture::{Paint, Panel, Patch, Picture, Span, arrow};

pub(super) const LOAD: &[Picture] = &[Picture::tiles(
    "a part of 3 rows and 5 columns in a tile of 4 x 8 with 3 x 5 valid elements and a padding value",
    &[
        Panel::source("src", (3, 5), &[Patch::new((0, 0), (3, 5), Paint::First, "src")]),
        Panel::destination(
            "dst",
            (4, 8),
            &[
                Patch::new((0, 0), (3, 5), Paint::First, "valid region"),
                Patch::new((0, 5), (3, 3), Paint::Fill, "pad"),
            ],
        )
        .measured(&[Span::Rows(0, 3, "v_row"), Span::Columns(0, 5, "v_col")]),
    ],
    &[arrow((0, 0), (1, 0))],
)
.noted("Columns after the valid ones are padded up to 32 bytes, if the type has a padding value.")];

pub(super) const STORE: &[Picture] = &[Picture::tiles(
    "the 3 x 5 valid elements of a tile of 4 x 8 in a part of a view",
    &[
        Panel::source("src", (4, 8), &[Patch::new((0, 0), (3, 5), Paint::First, "valid region")])
            .in_part()
            .measured(&[Span::Rows(0, 3, "v_row"), Span::Columns(0, 5, "v_col")]),
        Panel::destination("dst", (3, 5), &[Patch::new((0, 0), (3, 5), Paint::First, "dst")]),
    ],
    &[arrow((0, 0), (1, 0))],
)];
