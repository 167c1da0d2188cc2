//! Pictures of reductions: the line of cells that becomes one cell.

use crate::element::Element::{F32, I32};
use crate::op::picture::{Arrow, Paint, Panel, Patch, Picture, WHOLE, arrow, arrow_with};

const ELEMENTS: &[f64] = &[4.0, 1.0, 7.0, 2.0, 3.0, 9.0, 2.0, 5.0, 6.0, 2.0, 8.0, 1.0];
const ROWS: &[Patch] = &[
    Patch::new((0, 0), (1, 4), Paint::First, "row 0"),
    Patch::new((1, 0), (1, 4), Paint::Second, "row 1"),
    Patch::new((2, 0), (1, 4), Paint::Result, "row 2"),
];
const ONE_PER_ROW: &[Patch] = &[
    Patch::new((0, 0), (1, 1), Paint::First, "of row 0"),
    Patch::new((1, 0), (1, 1), Paint::Second, "of row 1"),
    Patch::new((2, 0), (1, 1), Paint::Result, "of row 2"),
];
const COLUMNS: &[Patch] = &[
    Patch::new((0, 0), (3, 1), Paint::First, "column 0"),
    Patch::new((0, 1), (3, 1), Paint::Second, "column 1"),
    Patch::new((0, 2), (3, 1), Paint::Result, "column 2"),
    Patch::new((0, 3), (3, 1), Paint::Parameter, "column 3"),
];
const ONE_PER_COLUMN: &[Patch] = &[
    Patch::new((0, 0), (1, 1), Paint::First, "of column 0"),
    Patch::new((0, 1), (1, 1), Paint::Second, "of column 1"),
    Patch::new((0, 2), (1, 1), Paint::Result, "of column 2"),
    Patch::new((0, 3), (1, 1), Paint::Parameter, "of column 3"),
];

/// The picture of a reduction of rows, of which each becomes one cell of a column.
macro_rules! rows {
    ($word:literal, $values:expr) => {
        &[Picture::tiles(
            concat!("each row becomes one element: its ", $word),
            &[
                Panel::source("src", (3, 4), ROWS).holding(F32, ELEMENTS).at(0, 0),
                Panel::destination("dst", (3, 1), ONE_PER_ROW).holding(F32, &$values).at(0, 1),
            ],
            &[
                arrow_with((0, 0), (1, 0), $word),
                arrow_with((0, 1), (1, 1), $word),
                arrow_with((0, 2), (1, 2), $word),
            ],
        )]
    };
}

/// The picture of a reduction of columns, of which each becomes one cell of a row.
macro_rules! columns {
    ($word:literal, $values:expr) => {
        &[Picture::tiles(
            concat!("each column becomes one element: its ", $word),
            &[
                Panel::source("src", (3, 4), COLUMNS).holding(F32, ELEMENTS).at(0, 0),
                Panel::destination("dst", (1, 4), ONE_PER_COLUMN).holding(F32, &$values).at(1, 0),
            ],
            &[arrow((0, 0), (1, 0)), arrow((0, 1), (1, 1)), arrow((0, 2), (1, 2)), arrow((0, 3), (1, 3))],
        )]
    };
}

pub(super) const ROW_SUM: &[Picture] = rows!("sum", [14.0, 19.0, 17.0]);
pub(super) const ROW_PROD: &[Picture] = rows!("product", [56.0, 270.0, 96.0]);
pub(super) const ROW_MAX: &[Picture] = rows!("maximum", [7.0, 9.0, 8.0]);
pub(super) const ROW_MIN: &[Picture] = rows!("minimum", [1.0, 2.0, 1.0]);
pub(super) const COLUMN_SUM: &[Picture] = columns!("sum", [13.0, 12.0, 17.0, 8.0]);
pub(super) const COLUMN_PROD: &[Picture] = columns!("product", [72.0, 18.0, 112.0, 10.0]);
pub(super) const COLUMN_MAX: &[Picture] = columns!("maximum", [6.0, 9.0, 8.0, 5.0]);
pub(super) const COLUMN_MIN: &[Picture] = columns!("minimum", [3.0, 1.0, 2.0, 1.0]);

/// Arrows of the panels src, value and dst.
const FOUND: &[Arrow] =
    &[arrow_with((0, WHOLE), (1, WHOLE), "elements"), arrow_with((0, WHOLE), (2, WHOLE), "numbers")];

/// The picture of a search along rows: `$at` are the columns of the elements found.
macro_rules! row_search {
    ($word:literal, $at:expr, $indices:expr, $values:expr) => {
        &[Picture::tiles(
            concat!("the ", $word, " element of each row, and the number of its column"),
            &[
                Panel::source(
                    "src",
                    (3, 4),
                    &[
                        Patch::new((0, $at[0]), (1, 1), Paint::Result, $word),
                        Patch::new((1, $at[1]), (1, 1), Paint::Result, ""),
                        Patch::new((2, $at[2]), (1, 1), Paint::Result, ""),
                    ],
                )
                .among_others()
                .numbered()
                .holding(F32, ELEMENTS)
                .at(0, 0),
                Panel::destination("value", (3, 1), &[Patch::new((0, 0), (3, 1), Paint::Result, "elements")])
                    .holding(F32, &$values)
                    .at(0, 1),
                Panel::destination("dst", (3, 1), &[Patch::new((0, 0), (3, 1), Paint::Parameter, "columns")])
                    .holding(I32, &$indices)
                    .at(1, 1),
            ],
            FOUND,
        )
        .noted(EQUAL)]
    };
}

/// The picture of a search along columns: `$at` are the rows of the elements found.
macro_rules! column_search {
    ($word:literal, $at:expr, $indices:expr, $values:expr) => {
        &[Picture::tiles(
            concat!("the ", $word, " element of each column, and the number of its row"),
            &[
                Panel::source(
                    "src",
                    (3, 4),
                    &[
                        Patch::new(($at[0], 0), (1, 1), Paint::Result, $word),
                        Patch::new(($at[1], 1), (1, 1), Paint::Result, ""),
                        Patch::new(($at[2], 2), (1, 1), Paint::Result, ""),
                        Patch::new(($at[3], 3), (1, 1), Paint::Result, ""),
                    ],
                )
                .among_others()
                .numbered()
                .holding(F32, ELEMENTS)
                .at(0, 0),
                Panel::destination("value", (1, 4), &[Patch::new((0, 0), (1, 4), Paint::Result, "elements")])
                    .holding(F32, &$values)
                    .at(0, 1),
                Panel::destination("dst", (1, 4), &[Patch::new((0, 0), (1, 4), Paint::Parameter, "rows")])
                    .holding(I32, &$indices)
                    .at(1, 1),
            ],
            FOUND,
        )
        .noted(EQUAL)]
    };
}

/// The note of searches.
const EQUAL: &str = "Of equal elements the first is found. The operand value may be left out.";

pub(super) const ROW_ARGMAX: &[Picture] = row_search!("largest", [2, 1, 2], [2.0, 1.0, 2.0], [7.0, 9.0, 8.0]);
pub(super) const ROW_ARGMIN: &[Picture] =
    row_search!("smallest", [1, 2, 3], [1.0, 2.0, 3.0], [1.0, 2.0, 1.0]);
pub(super) const COLUMN_ARGMAX: &[Picture] =
    column_search!("largest", [2, 1, 2, 1], [2.0, 1.0, 2.0, 1.0], [6.0, 9.0, 8.0, 5.0]);
pub(super) const COLUMN_ARGMIN: &[Picture] =
    column_search!("smallest", [1, 0, 1, 2], [1.0, 0.0, 1.0, 2.0], [3.0, 1.0, 2.0, 1.0]);

pub(super) const PAIRS: &[Picture] = &[Picture::tiles(
    "each pair of columns becomes one column: its sum",
    &[
        Panel::source(
            "src",
            (2, 6),
            &[
                Patch::new((0, 0), (2, 2), Paint::First, "pair 0"),
                Patch::new((0, 2), (2, 2), Paint::Second, "pair 1"),
                Patch::new((0, 4), (2, 2), Paint::Result, "pair 2"),
            ],
        )
        .holding(F32, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0])
        .at(0, 0),
        Panel::destination(
            "dst",
            (2, 6),
            &[
                Patch::new((0, 0), (2, 1), Paint::First, "pair 0"),
                Patch::new((0, 1), (2, 1), Paint::Second, "pair 1"),
                Patch::new((0, 2), (2, 1), Paint::Result, "pair 2"),
            ],
        )
        .filled()
        .holding(F32, &[3.0, 7.0, 11.0, 0.0, 0.0, 0.0, 15.0, 10.0, 5.0, 0.0, 0.0, 0.0])
        .at(1, 0),
    ],
    &[arrow((0, 0), (1, 0)), arrow((0, 1), (1, 1)), arrow((0, 2), (1, 2))],
)
.noted("The fill value is 0.")];
