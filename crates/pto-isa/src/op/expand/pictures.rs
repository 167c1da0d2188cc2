//! Pictures of the expansions: a column or a row repeated over a tile.

use crate::op::picture::{Cells, Paint, Panel, Patch, Picture, Span, arrow, arrow_with};

const VALID: &[Span] = &[Span::Rows(0, 4, "R"), Span::Columns(0, 8, "C")];
const COLUMN: &[Patch] =
    &[Patch::new((0, 0), (4, 1), Paint::Second, "one element per row").with(Cells::PerRow("s"))];
const ROW: &[Patch] =
    &[Patch::new((0, 0), (1, 8), Paint::Second, "one element per column").with(Cells::PerColumn("s"))];
const FULL: &[Patch] = &[Patch::new((0, 0), (4, 8), Paint::First, "valid region")];

/// Picture of TROWEXPAND.
pub(super) const ROW_SPREAD: Picture = Picture::tiles(
    "each row repeats its first element",
    &[
        Panel::source(
            "src",
            (4, 3),
            &[Patch::new((0, 0), (4, 1), Paint::Second, "column 0").with(Cells::PerRow("s"))],
        )
        .in_part(),
        Panel::destination(
            "dst",
            (4, 8),
            &[Patch::new((0, 0), (4, 8), Paint::Second, "valid region").with(Cells::PerRow("s"))],
        )
        .measured(VALID),
    ],
    &[arrow_with((0, 0), (1, 0), "along rows")],
);

/// Picture of TCOLEXPAND.
pub(super) const COLUMN_SPREAD: Picture = Picture::tiles(
    "each column repeats its first element",
    &[
        Panel::source(
            "src",
            (2, 8),
            &[Patch::new((0, 0), (1, 8), Paint::Second, "row 0").with(Cells::PerColumn("s"))],
        )
        .in_part(),
        Panel::destination(
            "dst",
            (4, 8),
            &[Patch::new((0, 0), (4, 8), Paint::Second, "valid region").with(Cells::PerColumn("s"))],
        )
        .measured(VALID),
    ],
    &[arrow_with((0, 0), (1, 0), "down columns")],
);

/// Pictures of TROWEXPAND with an operator.
pub(super) const ROW_OPERATORS: &[Picture] = &[
    Picture::tiles(
        "mode 1: one scalar per row, from a column-major operand",
        &[
            Panel::source("src0", (4, 8), FULL).measured(VALID),
            Panel::source("src1", (4, 1), COLUMN),
            Panel::destination(
                "dst",
                (4, 8),
                &[Patch::new((0, 0), (4, 8), Paint::Result, "src0[i, j] op s_i").with(Cells::PerRow("s"))],
            )
            .measured(VALID),
        ],
        &[arrow((0, 0), (2, 0)), arrow_with((1, 0), (2, 0), "s_i along row i")],
    )
    .noted("Either source may be the expanded one; the operands keep their order."),
    Picture::tiles(
        "mode 2: one block of 32 bytes per row, from a row-major operand",
        &[
            Panel::source("src0", (4, 8), FULL).measured(VALID),
            Panel::source(
                "src1",
                (4, 4),
                &[Patch::new((0, 0), (4, 4), Paint::Second, "b_i").with(Cells::Block("b", 4))],
            )
            .measured(&[Span::Columns(0, 4, "32 bytes")]),
            Panel::destination(
                "dst",
                (4, 8),
                &[Patch::new((0, 0), (4, 8), Paint::Result, "src0[i, j] op b_i[j mod w]")
                    .with(Cells::Block("b", 4))],
            )
            .measured(VALID),
        ],
        &[arrow((0, 0), (2, 0)), arrow_with((1, 0), (2, 0), "b_i repeats along row i")],
    )
    .noted("w is the number of elements in 32 bytes."),
];

/// Pictures of TCOLEXPAND with an operator.
pub(super) const COLUMN_OPERATORS: &[Picture] = &[Picture::tiles(
    "one element per column",
    &[
        Panel::source("src0", (4, 8), FULL).measured(VALID),
        Panel::source("src1", (1, 8), ROW),
        Panel::destination(
            "dst",
            (4, 8),
            &[Patch::new((0, 0), (4, 8), Paint::Result, "src0[i, j] op s_j").with(Cells::PerColumn("s"))],
        )
        .measured(VALID),
    ],
    &[arrow((0, 0), (2, 0)), arrow_with((1, 0), (2, 0), "s_j down column j")],
)
.noted("Either source may be the expanded one; the operands keep their order.")];
