//! Pictures of matrix products: the factors left of and above the result, with the sum along K.

use super::family::Start;
use crate::Buffer;
use crate::element::Element::{F16, F32};
use crate::op::picture::{Arrow, Cells, Paint, Panel, Patch, Picture, Span, WHOLE, arrow_with};

const ALONG_K: &[Patch] = &[Patch::new((0, 0), (1, 4), Paint::First, "row 0")];
const ROW: &[Patch] = &[Patch::new((1, 0), (1, 4), Paint::First, "row 1")];
const COLUMN: &[Patch] = &[Patch::new((0, 1), (4, 1), Paint::Second, "column 1")];
const SUM: &[Patch] = &[Patch::new((1, 1), (1, 1), Paint::Result, "dst[1, 1]")];
const SUM_OF_ROW: &[Patch] = &[Patch::new((0, 1), (1, 1), Paint::Result, "dst[0, 1]")];
const START: &[Patch] = &[Patch::new((1, 1), (1, 1), Paint::Parameter, "acc[1, 1]")];
const START_OF_ROW: &[Patch] = &[Patch::new((0, 1), (1, 1), Paint::Parameter, "acc[0, 1]")];
const ONE_BIAS: &[Patch] = &[Patch::new((0, 1), (1, 1), Paint::Parameter, "bias[1]")];

/// The left factor, M x K.
const LEFT: Panel = Panel::source("left", (3, 4), ROW)
    .among_others()
    .holding(F16, &[1.0, 2.0, 0.0, 1.0, 2.0, 1.0, 3.0, 0.0, 0.0, 1.0, 1.0, 2.0])
    .in_buffer(Buffer::L0a)
    .measured(&[Span::Rows(0, 3, "M"), Span::Columns(0, 4, "K")])
    .at(2, 0);
/// The left factor as a row vector.
const LEFT_ROW: Panel = Panel::source("left", (1, 4), ALONG_K)
    .holding(F16, &[2.0, 1.0, 3.0, 0.0])
    .in_buffer(Buffer::L0a)
    .measured(&[Span::Columns(0, 4, "K")])
    .at(2, 0);
/// The right factor, K x N.
const RIGHT: Panel = Panel::source("right", (4, 3), COLUMN)
    .among_others()
    .holding(F16, &[1.0, 0.0, 2.0, 3.0, 1.0, 0.0, 0.0, 2.0, 1.0, 1.0, 1.0, 1.0])
    .in_buffer(Buffer::L0b)
    .measured(&[Span::Rows(0, 4, "K"), Span::Columns(0, 3, "N")])
    .at(0, 1);
const ACC: Panel = Panel::source("acc", (3, 3), START)
    .among_others()
    .holding(F32, &[10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0])
    .in_buffer(Buffer::L0c)
    .at(0, 0);
const ACC_ROW: Panel = Panel::source("acc", (1, 3), START_OF_ROW)
    .among_others()
    .holding(F32, &[40.0, 50.0, 60.0])
    .in_buffer(Buffer::L0c)
    .at(0, 0);
const BIAS: Panel = Panel::source("bias", (1, 3), ONE_BIAS)
    .among_others()
    .holding(F32, &[10.0, 20.0, 30.0])
    .in_buffer(Buffer::BiasTable)
    .at(3, 1);

/// The result, M x N, with its elements.
const fn dst(values: &'static [f64]) -> Panel {
    Panel::destination("dst", (3, 3), SUM).among_others().holding(F32, values).in_buffer(Buffer::L0c).at(2, 1)
}

/// The result, 1 x N, with its elements.
const fn dst_row(values: &'static [f64]) -> Panel {
    Panel::destination("dst", (1, 3), SUM_OF_ROW)
        .among_others()
        .holding(F32, values)
        .in_buffer(Buffer::L0c)
        .at(2, 1)
}

/// The caption of products that start at 0.
const MEET: &str = "a row of left and a column of right give one element: the sum of their products along K";
/// Arrows of the panels left, right and dst.
const FACTORS: &[Arrow] = &[arrow_with((0, 0), (2, 0), "multiply, add"), arrow_with((1, 0), (2, 0), "")];
/// Arrows of the panels acc, left, right and dst.
const ON_ACC: &[Arrow] = &[
    arrow_with((0, 0), (3, 0), "start"),
    arrow_with((1, 0), (3, 0), "multiply, add"),
    arrow_with((2, 0), (3, 0), ""),
];
/// Arrows of the panels left, right, bias and dst.
const ON_BIAS: &[Arrow] = &[
    arrow_with((0, 0), (3, 0), "multiply, add"),
    arrow_with((1, 0), (3, 0), ""),
    arrow_with((2, 0), (3, 0), "start"),
];

const PRODUCT: Picture =
    Picture::tiles(MEET, &[LEFT, RIGHT, dst(&[8.0, 3.0, 3.0, 5.0, 7.0, 7.0, 5.0, 5.0, 3.0])], FACTORS)
        .noted("dst[1, 1] = 2 * 0 + 1 * 1 + 3 * 2 + 0 * 1 = 7");

const PRODUCT_ON_ACC: Picture = Picture::tiles(
    "the sum along K starts at the element of acc, which usually is the tile dst",
    &[ACC, LEFT, RIGHT, dst(&[18.0, 23.0, 33.0, 45.0, 57.0, 67.0, 75.0, 85.0, 93.0])],
    ON_ACC,
)
.noted("dst[1, 1] = 50 + 2 * 0 + 1 * 1 + 3 * 2 + 0 * 1 = 57");

const PRODUCT_ON_BIAS: Picture = Picture::tiles(
    "the sum along K starts at the bias of the column",
    &[LEFT, RIGHT, BIAS, dst(&[18.0, 23.0, 33.0, 15.0, 27.0, 37.0, 15.0, 25.0, 33.0])],
    ON_BIAS,
)
.noted("dst[1, 1] = 20 + 2 * 0 + 1 * 1 + 3 * 2 + 0 * 1 = 27");

const ROW_PRODUCT: Picture = Picture::tiles(MEET, &[LEFT_ROW, RIGHT, dst_row(&[5.0, 7.0, 7.0])], FACTORS)
    .noted("dst[0, 1] = 2 * 0 + 1 * 1 + 3 * 2 + 0 * 1 = 7");

const ROW_PRODUCT_ON_ACC: Picture = Picture::tiles(
    "the sum along K starts at the element of acc, which usually is the tile dst",
    &[ACC_ROW, LEFT_ROW, RIGHT, dst_row(&[45.0, 57.0, 67.0])],
    ON_ACC,
)
.noted("dst[0, 1] = 50 + 2 * 0 + 1 * 1 + 3 * 2 + 0 * 1 = 57");

const ROW_PRODUCT_ON_BIAS: Picture = Picture::tiles(
    "the sum along K starts at the bias of the column",
    &[LEFT_ROW, RIGHT, BIAS, dst_row(&[15.0, 27.0, 37.0])],
    ON_BIAS,
)
.noted("dst[0, 1] = 20 + 2 * 0 + 1 * 1 + 3 * 2 + 0 * 1 = 27");

/// The boxes of the three buffers.
const BOXES: Picture = Picture::tiles(
    "the same operands as boxes (fractals), numbered in memory order: M = 32, K = 48, N = 32, f16",
    &[
        Panel::source("left", (2, 3), &[Patch::new((0, 0), (2, 3), Paint::First, "boxes of 16x16 f16, NZ").with(Cells::Down)])
            .typed(F16)
            .in_buffer(Buffer::L0a)
            .measured(&[Span::Rows(0, 2, "M"), Span::Columns(0, 3, "K")])
            .at(1, 0),
        Panel::source("right", (3, 2), &[Patch::new((0, 0), (3, 2), Paint::Second, "boxes of 16x16 f16, ZN").with(Cells::Along)])
            .typed(F16)
            .in_buffer(Buffer::L0b)
            .measured(&[Span::Rows(0, 3, "K"), Span::Columns(0, 2, "N")])
            .at(0, 1),
        Panel::destination("dst", (2, 2), &[Patch::new((0, 0), (2, 2), Paint::Result, "boxes of 16x16 f32, NZ").with(Cells::Down)])
            .typed(F32)
            .in_buffer(Buffer::L0c)
            .at(1, 1),
    ],
    &[arrow_with((0, WHOLE), (2, WHOLE), "M x K"), arrow_with((1, WHOLE), (2, WHOLE), "K x N")],
)
.noted("NZ: boxes column by column, rows inside; ZN: boxes row by row, columns inside. On A2/A3 left is ZZ: row by row.");

const GROUPS: &[Patch] = &[
    Patch::new((0, 0), (3, 2), Paint::First, "32 columns of K").with(Cells::PerRow("p")),
    Patch::new((0, 2), (3, 2), Paint::Second, "the next 32").with(Cells::PerRow("q")),
];
const GROUPS_OF_ROW: &[Patch] = &[
    Patch::new((0, 0), (1, 2), Paint::First, "32 columns of K").with(Cells::PerRow("p")),
    Patch::new((0, 2), (1, 2), Paint::Second, "the next 32").with(Cells::PerRow("q")),
];
const SCALES: &[Patch] = &[
    Patch::new((0, 0), (3, 1), Paint::First, "for the first 32").with(Cells::PerRow("p")),
    Patch::new((0, 1), (3, 1), Paint::Second, "for the next 32").with(Cells::PerRow("q")),
];
const SCALES_OF_ROW: &[Patch] = &[
    Patch::new((0, 0), (1, 1), Paint::First, "for the first 32").with(Cells::PerRow("p")),
    Patch::new((0, 1), (1, 1), Paint::Second, "for the next 32").with(Cells::PerRow("q")),
];
const SCALED_RIGHT: Panel = Panel::source(
    "right",
    (4, 3),
    &[
        Patch::new((0, 0), (2, 3), Paint::First, "32 rows of K").with(Cells::PerColumn("u")),
        Patch::new((2, 0), (2, 3), Paint::Second, "the next 32").with(Cells::PerColumn("v")),
    ],
)
.in_buffer(Buffer::L0b)
.measured(&[Span::Rows(0, 4, "K = 64")])
.at(1, 1);
const RIGHT_SCALES: Panel = Panel::source(
    "right_scale",
    (2, 3),
    &[
        Patch::new((0, 0), (1, 3), Paint::First, "for the first 32").with(Cells::PerColumn("u")),
        Patch::new((1, 0), (1, 3), Paint::Second, "for the next 32").with(Cells::PerColumn("v")),
    ],
)
.in_buffer(Buffer::ScaleRight)
.measured(&[Span::Columns(0, 3, "N")])
.at(0, 1);

/// The caption of products with scales.
const SCALED: &str = "one scale for each 32 elements along K: a cell names the scale that multiplies it";
/// The note of products with scales.
const SCALED_NOTE: &str = "Sixteen elements are drawn as one cell. dst[i, j] = sum over k < 32 of (left * p) * (right * u), \
                           plus sum over the next 32 of (left * q) * (right * v), of row i and column j.";

const SCALED_PRODUCT: Picture = Picture::tiles(
    SCALED,
    &[
        Panel::source("left_scale", (3, 2), SCALES).in_buffer(Buffer::ScaleLeft).at(1, 0),
        Panel::source("left", (3, 4), GROUPS)
            .in_buffer(Buffer::L0a)
            .measured(&[Span::Rows(0, 3, "M"), Span::Columns(0, 4, "K = 64")])
            .at(2, 0),
        RIGHT_SCALES,
        SCALED_RIGHT,
        Panel::destination("dst", (3, 3), &[Patch::new((0, 0), (3, 3), Paint::Result, "sums along K")])
            .in_buffer(Buffer::L0c)
            .at(2, 1),
    ],
    &[arrow_with((1, WHOLE), (4, 0), "multiply, add"), arrow_with((3, WHOLE), (4, 0), "")],
)
.noted(SCALED_NOTE);

const SCALED_ROW_PRODUCT: Picture = Picture::tiles(
    SCALED,
    &[
        Panel::source("left_scale", (1, 2), SCALES_OF_ROW).in_buffer(Buffer::ScaleLeft).at(1, 0),
        Panel::source("left", (1, 4), GROUPS_OF_ROW)
            .in_buffer(Buffer::L0a)
            .measured(&[Span::Columns(0, 4, "K = 64")])
            .at(2, 0),
        RIGHT_SCALES,
        SCALED_RIGHT,
        Panel::destination("dst", (1, 3), &[Patch::new((0, 0), (1, 3), Paint::Result, "sums along K")])
            .in_buffer(Buffer::L0c)
            .at(2, 1),
    ],
    &[arrow_with((1, WHOLE), (4, 0), "multiply, add"), arrow_with((3, WHOLE), (4, 0), "")],
)
.noted(SCALED_NOTE);

/// The pictures of a product without scales.
pub(super) const fn plain(start: Start, vector: bool) -> &'static [Picture] {
    match (start, vector) {
        (Start::Zero, false) => &[PRODUCT, BOXES],
        (Start::Accumulator, false) => &[PRODUCT_ON_ACC, BOXES],
        (Start::Bias, false) => &[PRODUCT_ON_BIAS, BOXES],
        (Start::Zero, true) => &[ROW_PRODUCT],
        (Start::Accumulator, true) => &[ROW_PRODUCT_ON_ACC],
        (Start::Bias, true) => &[ROW_PRODUCT_ON_BIAS],
    }
}

/// The pictures of a product with scales; the start of the sum is that of the product without them.
pub(super) const fn scaled(vector: bool) -> &'static [Picture] {
    if vector { &[SCALED_ROW_PRODUCT] } else { &[SCALED_PRODUCT] }
}
