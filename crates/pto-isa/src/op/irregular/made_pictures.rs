//! Pictures of sequences and triangles, and of operations on tiles of different valid regions.

use crate::element::Element::{F32, I32};
use crate::op::picture::{Arrow, Paint, Panel, Patch, Picture, arrow, arrow_with};

/// A single scalar.
const SCALAR: &[Patch] = &[Patch::new((0, 0), (1, 1), Paint::Parameter, "scalar")];
const SEQUENCE: &[Patch] = &[Patch::new((0, 0), (1, 8), Paint::Result, "consecutive numbers")];
const FROM_START: &[Arrow] = &[arrow_with((0, 0), (1, 0), "first number")];

pub(super) const TCI: &[Picture] = &[
    Picture::tiles(
        "upwards from the start",
        &[
            Panel::source("start", (1, 1), SCALAR).holding(I32, &[5.0]),
            Panel::destination("dst", (1, 8), SEQUENCE)
                .holding(I32, &[5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]),
        ],
        FROM_START,
    ),
    Picture::tiles(
        "downwards from the start",
        &[
            Panel::source("start", (1, 1), SCALAR).holding(I32, &[5.0]),
            Panel::destination("dst", (1, 8), SEQUENCE)
                .holding(I32, &[5.0, 4.0, 3.0, 2.0, 1.0, 0.0, -1.0, -2.0]),
        ],
        FROM_START,
    )
    .with("descending = true"),
];

/// Ones up to column 1 in the first row, and one more in each row below.
const LOWER: &[Patch] = &[
    Patch::new((0, 0), (1, 2), Paint::Result, "ones"),
    Patch::new((1, 0), (1, 3), Paint::Result, ""),
    Patch::new((2, 0), (1, 4), Paint::Result, ""),
    Patch::new((3, 0), (1, 5), Paint::Result, ""),
];
const UPPER: &[Patch] = &[
    Patch::new((0, 1), (1, 4), Paint::Result, "ones"),
    Patch::new((1, 2), (1, 3), Paint::Result, ""),
    Patch::new((2, 3), (1, 2), Paint::Result, ""),
    Patch::new((3, 4), (1, 1), Paint::Result, ""),
];

pub(super) const TTRI: &[Picture] = &[
    Picture::tiles(
        "the lower triangle, up to the first column after the diagonal",
        &[
            Panel::source("diagonal", (1, 1), SCALAR).holding(I32, &[1.0]),
            Panel::destination("dst", (4, 5), LOWER).filled().numbered().holding(
                F32,
                &[
                    1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0,
                    1.0, 1.0,
                ],
            ),
        ],
        &[],
    )
    .with("upperOrLower = 0 : i32")
    .noted("The fill value is 0."),
    Picture::tiles(
        "the upper triangle, from the first column after the diagonal",
        &[
            Panel::source("diagonal", (1, 1), SCALAR).holding(I32, &[1.0]),
            Panel::destination("dst", (4, 5), UPPER).filled().numbered().holding(
                F32,
                &[
                    0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0,
                    0.0, 1.0,
                ],
            ),
        ],
        &[],
    )
    .with("upperOrLower = 1 : i32")
    .noted("The fill value is 0."),
];

/// The valid region of the larger source: the part in which both are valid, and the rest.
const LARGER: &[Patch] = &[
    Patch::new((0, 0), (2, 2), Paint::First, "the larger source"),
    Patch::new((0, 2), (2, 2), Paint::First, ""),
    Patch::new((2, 0), (1, 4), Paint::First, ""),
];
const SMALLER: &[Patch] = &[Patch::new((0, 0), (2, 2), Paint::Second, "the smaller source")];
const COMBINED: &[Patch] = &[
    Patch::new((0, 0), (2, 2), Paint::Result, "of both sources"),
    Patch::new((0, 2), (2, 2), Paint::First, "copied"),
    Patch::new((2, 0), (1, 4), Paint::First, ""),
];
const BIG: &[f64] = &[1.0, 6.0, 3.0, 4.0, 5.0, 2.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0];
const SMALL: &[f64] = &[5.0, 3.0, 2.0, 4.0];

/// From both sources to the part that both have, and from the larger one to the rest.
const fn to_both(operation: &'static str) -> [Arrow; 4] {
    [
        arrow_with((0, 0), (2, 0), operation),
        arrow((1, 0), (2, 0)),
        arrow((0, 1), (2, 1)),
        arrow((0, 2), (2, 2)),
    ]
}

/// The picture of one operation.
macro_rules! part {
    ($operation:literal, $values:expr) => {
        &[Picture::tiles(
            "the smaller source is combined with the corner of the larger one",
            &[
                Panel::source("src0", (3, 4), LARGER).holding(F32, BIG),
                Panel::source("src1", (2, 2), SMALLER).holding(F32, SMALL),
                Panel::destination("dst", (3, 4), COMBINED).holding(F32, $values),
            ],
            &to_both($operation),
        )]
    };
}

pub(super) const TPARTADD: &[Picture] =
    part!("+", &[6.0, 9.0, 3.0, 4.0, 7.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]);
pub(super) const TPARTMUL: &[Picture] =
    part!("x", &[5.0, 18.0, 3.0, 4.0, 10.0, 8.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]);
pub(super) const TPARTMAX: &[Picture] =
    part!("max", &[5.0, 6.0, 3.0, 4.0, 5.0, 4.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]);
pub(super) const TPARTMIN: &[Picture] =
    part!("min", &[1.0, 3.0, 3.0, 4.0, 2.0, 2.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]);

/// Four values of the larger source, of which two have partners.
const FOUR: &[Patch] = &[
    Patch::new((0, 0), (1, 2), Paint::First, "the larger source"),
    Patch::new((0, 2), (1, 2), Paint::First, ""),
];
const TWO: &[Patch] = &[Patch::new((0, 0), (1, 2), Paint::Second, "the smaller source")];
const FOUR_INDICES: &[Patch] = &[Patch::new((0, 0), (1, 4), Paint::Parameter, "indices")];
const TWO_INDICES: &[Patch] = &[Patch::new((0, 0), (1, 2), Paint::Parameter, "indices")];
const EXTREMES: &[Patch] = &[
    Patch::new((0, 0), (1, 2), Paint::Result, "of both sources"),
    Patch::new((0, 2), (1, 2), Paint::First, "copied"),
];
const WITH_INDICES: &[Arrow] = &[arrow((0, 0), (4, 0)), arrow((1, 0), (4, 0)), arrow((0, 1), (4, 1))];

/// The picture of one extreme and its index.
macro_rules! part_arg {
    ($caption:literal, $values:expr, $indices:expr) => {
        &[Picture::tiles(
            $caption,
            &[
                Panel::source("src0", (1, 4), FOUR).holding(F32, &[7.0, 3.0, 9.0, 1.0]),
                Panel::source("src1", (1, 2), TWO).holding(F32, &[5.0, 8.0]),
                Panel::source("idx0", (1, 4), FOUR_INDICES).holding(I32, &[0.0, 1.0, 2.0, 3.0]),
                Panel::source("idx1", (1, 2), TWO_INDICES).holding(I32, &[40.0, 41.0]),
                Panel::destination("dst", (1, 4), EXTREMES).holding(F32, $values),
                Panel::destination("idx", (1, 4), FOUR_INDICES).holding(I32, $indices),
            ],
            WITH_INDICES,
        )]
    };
}

pub(super) const TPARTARGMAX: &[Picture] =
    part_arg!("the larger of two values, with its index", &[7.0, 8.0, 9.0, 1.0], &[0.0, 41.0, 2.0, 3.0]);
pub(super) const TPARTARGMIN: &[Picture] =
    part_arg!("the smaller of two values, with its index", &[5.0, 3.0, 9.0, 1.0], &[40.0, 1.0, 2.0, 3.0]);
