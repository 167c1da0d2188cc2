//! Pictures of tiles and views as values.

use crate::op::picture::{Paint, Panel, Patch, Picture, Span, arrow};

/// Three rows of six elements in a buffer; the row stride is 8 elements.
const ROWS: &[Patch] = &[
    Patch::new((0, 0), (1, 6), Paint::First, "row 0"),
    Patch::new((0, 8), (1, 6), Paint::First, "row 1"),
    Patch::new((0, 16), (1, 6), Paint::First, "row 2"),
];

pub(super) const VIEW: &[Picture] = &[Picture::tiles(
    "shape = [3, 6], strides = [8, 1]: element (i, j) is 8 * i + j elements after the pointer",
    &[
        Panel::source("source", (1, 24), ROWS).in_part().measured(&[Span::Columns(0, 8, "strides[0]")]),
        Panel::destination(
            "result",
            (3, 6),
            &[
                Patch::new((0, 0), (1, 6), Paint::First, "row 0"),
                Patch::new((1, 0), (1, 6), Paint::First, "row 1"),
                Patch::new((2, 0), (1, 6), Paint::First, "row 2"),
            ],
        ),
    ],
    &[arrow((0, 0), (1, 0)), arrow((0, 1), (1, 1)), arrow((0, 2), (1, 2))],
)
.noted("No element moves: the view names the bytes of the buffer.")];

pub(super) const PART: &[Picture] = &[Picture::tiles(
    "offsets = [2, 3], sizes = [3, 5]: the part starts at row 2 and column 3",
    &[
        Panel::source("source", (6, 10), &[Patch::new((2, 3), (3, 5), Paint::First, "sizes")])
            .in_part()
            .measured(&[Span::Rows(0, 2, "offsets[0]"), Span::Columns(0, 3, "offsets[1]")]),
        Panel::destination("result", (3, 5), &[Patch::new((0, 0), (3, 5), Paint::First, "sizes")]),
    ],
    &[arrow((0, 0), (1, 0))],
)
.noted("No element moves: the part keeps the strides of the view.")];

pub(super) const VALID: &[Picture] = &[Picture::tiles(
    "valid_row = 3, valid_col = 5 of a tile with 4 rows and 8 columns",
    &[Panel::destination("result", (4, 8), &[Patch::new((0, 0), (3, 5), Paint::Result, "valid region")])
        .measured(&[Span::Rows(0, 3, "valid_row"), Span::Columns(0, 5, "valid_col")])],
    &[],
)
.noted("The buffer reserves the declared shape; instructions compute on the valid region.")];

pub(super) const ONE_OF_SEVERAL: &[Picture] = &[Picture::tiles(
    "index = 1 of three tiles of 2 rows and 6 columns",
    &[
        Panel::source(
            "source",
            (6, 6),
            &[
                Patch::new((0, 0), (2, 6), Paint::Unread, "tile 0"),
                Patch::new((2, 0), (2, 6), Paint::First, "tile 1"),
                Patch::new((4, 0), (2, 6), Paint::Unread, "tile 2"),
            ],
        ),
        Panel::destination("result", (2, 6), &[Patch::new((0, 0), (2, 6), Paint::First, "tile 1")]),
    ],
    &[arrow((0, 1), (1, 0))],
)
.noted("The tiles follow each other in the buffer.")];
