//! Pictures of gathers and scatters: an index selects an element, a row or a block.

use crate::element::Element::{F32, I32, U32};
use crate::op::picture::{Arrow, Paint, Panel, Patch, Picture, arrow};

/// Value of an element that no index selects and that keeps its old value: its cell is blank.
const OLD: f64 = f64::NAN;

const fn cell(row: u8, col: u8, paint: Paint, label: &'static str) -> Patch {
    Patch::new((row, col), (1, 1), paint, label)
}

/// Four indices in a row.
const INDICES: &[Patch] = &[
    cell(0, 0, Paint::Parameter, "numbers of elements"),
    cell(0, 1, Paint::Parameter, ""),
    cell(0, 2, Paint::Parameter, ""),
    cell(0, 3, Paint::Parameter, ""),
];
/// Four elements in a row.
const FOUR: &[Patch] = &[
    cell(0, 0, Paint::First, "elements of src"),
    cell(0, 1, Paint::First, ""),
    cell(0, 2, Paint::First, ""),
    cell(0, 3, Paint::First, ""),
];
/// Elements 5, 0, 7 and 2 of a row, in the order of the indices.
const CHOSEN: &[Patch] = &[
    cell(0, 5, Paint::First, "elements that are named"),
    cell(0, 0, Paint::First, ""),
    cell(0, 7, Paint::First, ""),
    cell(0, 2, Paint::First, ""),
];
const EIGHT: &[f64] = &[7.0, 3.0, 9.0, 1.0, 8.0, 2.0, 6.0, 4.0];
/// Every element of a row of eight.
const ALL_EIGHT: &[Patch] = &each(0, 1);
/// The elements of a row of sixteen that pattern P0101 selects.
const EVEN: &[Patch] = &each(0, 2);
/// The elements of a row of sixteen that pattern P1010 selects.
const ODD: &[Patch] = &each(1, 2);
/// Arrows from each of eight elements to its position in the result.
const ONE_TO_ONE: &[Arrow] = &[
    arrow((0, 0), (1, 0)),
    arrow((0, 1), (1, 1)),
    arrow((0, 2), (1, 2)),
    arrow((0, 3), (1, 3)),
    arrow((0, 4), (1, 4)),
    arrow((0, 5), (1, 5)),
    arrow((0, 6), (1, 6)),
    arrow((0, 7), (1, 7)),
];

/// Eight cells of row 0 from column `first` on, `step` columns apart.
const fn each(first: u8, step: u8) -> [Patch; 8] {
    let mut patches = [cell(0, first, Paint::First, ""); 8];
    let mut at = 0;
    while at < 8 {
        patches[at].at.1 = first + step * at as u8;
        at += 1;
    }
    patches[0].label = "elements that move";
    patches
}

/// Arrows from the elements up to the indices that name them, and on to the result.
const BY_INDEX: &[Arrow] = &[
    arrow((0, 0), (1, 0)),
    arrow((0, 1), (1, 1)),
    arrow((0, 2), (1, 2)),
    arrow((0, 3), (1, 3)),
    arrow((1, 0), (2, 0)),
    arrow((1, 1), (2, 1)),
    arrow((1, 2), (2, 2)),
    arrow((1, 3), (2, 3)),
];

/// A gather of four of eight elements.
const ELEMENTS: Picture = Picture::tiles(
    "by index: each index names the source element for its position",
    &[
        Panel::source("src", (1, 8), CHOSEN).in_part().numbered().holding(F32, EIGHT).at(0, 0),
        Panel::source("idx", (1, 4), INDICES).holding(I32, &[5.0, 0.0, 7.0, 2.0]).at(1, 0),
        Panel::destination("dst", (1, 4), FOUR).holding(F32, &[2.0, 7.0, 4.0, 9.0]).at(2, 0),
    ],
    BY_INDEX,
)
.noted("Elements of a source with several rows are numbered row by row.");

pub(super) const TGATHER: &[Picture] = &[
    ELEMENTS,
    Picture::tiles(
        "by mask pattern: the last digit is the first element of each group",
        &[
            Panel::source("src", (1, 16), EVEN)
                .in_part()
                .holding(
                    F32,
                    &[7.0, 3.0, 9.0, 1.0, 8.0, 2.0, 6.0, 4.0, 5.0, 0.0, 2.0, 7.0, 1.0, 9.0, 3.0, 8.0],
                )
                .at(0, 0),
            Panel::destination("dst", (1, 8), ALL_EIGHT)
                .holding(F32, &[7.0, 9.0, 8.0, 6.0, 5.0, 2.0, 1.0, 3.0])
                .at(1, 0),
        ],
        ONE_TO_ONE,
    )
    .with("maskPattern = #pto.mask_pattern<P0101>"),
];

pub(super) const TSCATTER: &[Picture] = &[
    Picture::tiles(
        "by index: each index names the destination of its element",
        &[
            Panel::source("src", (1, 4), FOUR).holding(F32, &[7.0, 3.0, 9.0, 1.0]).at(0, 0),
            Panel::source("idx", (1, 4), INDICES).holding(I32, &[5.0, 0.0, 7.0, 2.0]).at(1, 0),
            Panel::destination("dst", (1, 8), CHOSEN)
                .filled()
                .numbered()
                .holding(F32, &[3.0, 0.0, 1.0, 0.0, 0.0, 7.0, 0.0, 9.0])
                .at(2, 0),
        ],
        BY_INDEX,
    )
    .noted("The fill value is 0. If several elements have one position, the last stays."),
    Picture::tiles(
        "by mask pattern: one element for each group, at the digit 1; the last digit is the first element of a group",
        &[
            Panel::source("src", (1, 8), ALL_EIGHT).holding(F32, EIGHT).at(0, 0),
            Panel::destination("dst", (1, 16), ODD)
                .filled()
                .holding(
                    F32,
                    &[0.0, 7.0, 0.0, 3.0, 0.0, 9.0, 0.0, 1.0, 0.0, 8.0, 0.0, 2.0, 0.0, 6.0, 0.0, 4.0],
                )
                .at(1, 0),
        ],
        ONE_TO_ONE,
    )
    .with("maskPattern = #pto.mask_pattern<P1010>")
    .noted("The fill value is 0."),
];

/// Three indices in a column.
const INDEX_COLUMN: &[Patch] = &[
    cell(0, 0, Paint::Parameter, "numbers of rows"),
    cell(1, 0, Paint::Parameter, ""),
    cell(2, 0, Paint::Parameter, ""),
];
/// Three rows.
const THREE_ROWS: &[Patch] = &[
    Patch::new((0, 0), (1, 3), Paint::First, "rows of src"),
    Patch::new((1, 0), (1, 3), Paint::First, ""),
    Patch::new((2, 0), (1, 3), Paint::First, ""),
];
/// Rows 3, 0 and 2 of a table, in the order of the indices.
const TABLE_ROWS: &[Patch] = &[
    Patch::new((3, 0), (1, 3), Paint::First, "rows that are named"),
    Patch::new((0, 0), (1, 3), Paint::First, ""),
    Patch::new((2, 0), (1, 3), Paint::First, ""),
];
/// Arrows from rows to the indices that name them, and on to the result.
const BY_ROW: &[Arrow] = &[
    arrow((0, 0), (1, 0)),
    arrow((0, 1), (1, 1)),
    arrow((0, 2), (1, 2)),
    arrow((1, 0), (2, 0)),
    arrow((1, 1), (2, 1)),
    arrow((1, 2), (2, 2)),
];

pub(super) const MGATHER: &[Picture] = &[
    Picture::tiles(
        "by rows: each index names a row of the table in global memory",
        &[
            Panel::source("src", (5, 3), TABLE_ROWS)
                .in_part()
                .numbered()
                .holding(
                    F32,
                    &[
                        10.0, 11.0, 12.0, 20.0, 21.0, 22.0, 30.0, 31.0, 32.0, 40.0, 41.0, 42.0, 50.0, 51.0,
                        52.0,
                    ],
                )
                .at(0, 0),
            Panel::source("idx", (3, 1), INDEX_COLUMN).holding(I32, &[3.0, 0.0, 2.0]).at(0, 1),
            Panel::destination("dst", (3, 3), THREE_ROWS)
                .holding(F32, &[40.0, 41.0, 42.0, 10.0, 11.0, 12.0, 30.0, 31.0, 32.0])
                .at(0, 2),
        ],
        BY_ROW,
    )
    .with("coalesce = #pto<coalesce row>"),
    Picture { caption: "by elements: each index names an element of the table", ..ELEMENTS }
        .with("coalesce = #pto<coalesce elem>")
        .noted("Elements of a table with several rows are numbered row by row."),
];

pub(super) const MSCATTER: &[Picture] = &[Picture::tiles(
    "by rows: each index names the destination of its row in the table in global memory",
    &[
        Panel::source("src", (3, 3), THREE_ROWS)
            .holding(F32, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
            .at(0, 0),
        Panel::source("idx", (3, 1), INDEX_COLUMN).holding(I32, &[3.0, 0.0, 2.0]).at(0, 1),
        Panel::destination("dst", (5, 3), TABLE_ROWS)
            .kept()
            .numbered()
            .holding(F32, &[4.0, 5.0, 6.0, OLD, OLD, OLD, 7.0, 8.0, 9.0, 1.0, 2.0, 3.0, OLD, OLD, OLD])
            .at(0, 2),
    ],
    BY_ROW,
)
.with("coalesce = #pto<coalesce row>")
.noted("If several rows have one destination, the last stays; an atomic operation combines them.")];

/// Blocks of 32 bytes, of which the second index names the first and the first index the last.
const BLOCKS: &[Patch] = &[
    Patch::new((0, 16), (1, 8), Paint::First, "block at byte 64"),
    Patch::new((0, 0), (1, 8), Paint::Second, "block at byte 0"),
];

pub(super) const TGATHERB: &[Picture] = &[Picture::tiles(
    "each offset names a block of 32 bytes, which are 8 elements of f32",
    &[
        Panel::source("src", (1, 24), BLOCKS)
            .in_part()
            .holding(
                F32,
                &[
                    0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0,
                    16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0,
                ],
            )
            .at(0, 0),
        Panel::source(
            "offsets",
            (1, 2),
            &[cell(0, 0, Paint::Parameter, "offsets in bytes"), cell(0, 1, Paint::Parameter, "")],
        )
        .holding(U32, &[64.0, 0.0])
        .at(1, 0),
        Panel::destination(
            "dst",
            (1, 16),
            &[
                Patch::new((0, 0), (1, 8), Paint::First, "from byte 64"),
                Patch::new((0, 8), (1, 8), Paint::Second, "from byte 0"),
            ],
        )
        .holding(
            F32,
            &[16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0],
        )
        .at(2, 0),
    ],
    &[arrow((0, 0), (1, 0)), arrow((0, 1), (1, 1)), arrow((1, 0), (2, 0)), arrow((1, 1), (2, 1))],
)];
