//! Pictures of sorts: pairs of a value and its index.

use crate::element::Element::{F32, U32};
use crate::op::picture::{Paint, Panel, Patch, Picture, arrow};

/// A pair of a value and an index, from column 2 * `place`.
const fn pair(place: u8, paint: Paint, label: &'static str) -> Patch {
    Patch::new((0, 2 * place), (1, 2), paint, label)
}

const fn cell(col: u8, paint: Paint, label: &'static str) -> Patch {
    Patch::new((0, col), (1, 1), paint, label)
}

pub(super) const TSORT32: &[Picture] = &[Picture::tiles(
    "one block (8 values drawn): pairs of value and index, the greatest value first",
    &[
        Panel::source(
            "src",
            (1, 8),
            &[
                cell(1, Paint::First, "greatest"),
                cell(5, Paint::Second, "second"),
                cell(3, Paint::Result, "third"),
            ],
        )
        .among_others()
        .holding(F32, &[3.0, 9.0, 1.0, 7.0, 4.0, 8.0, 2.0, 6.0])
        .at(0, 0),
        Panel::source(
            "idx",
            (1, 8),
            &[cell(1, Paint::First, ""), cell(5, Paint::Second, ""), cell(3, Paint::Result, "")],
        )
        .among_others()
        .holding(U32, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0])
        .at(1, 0),
        Panel::destination(
            "dst",
            (1, 16),
            &[
                pair(0, Paint::First, "greatest value and its index"),
                pair(1, Paint::Second, "second"),
                pair(2, Paint::Result, "third"),
                pair(3, Paint::Others, ""),
                pair(4, Paint::Others, ""),
                pair(5, Paint::Others, ""),
                pair(6, Paint::Others, ""),
                pair(7, Paint::Others, ""),
            ],
        )
        .holding(F32, &[9.0, 1.0, 8.0, 5.0, 7.0, 3.0, 6.0, 7.0, 4.0, 4.0, 3.0, 0.0, 2.0, 6.0, 1.0, 2.0])
        .paired()
        .at(2, 0),
    ],
    &[
        arrow((0, 0), (1, 0)),
        arrow((0, 1), (1, 1)),
        arrow((0, 2), (1, 2)),
        arrow((1, 0), (2, 0)),
        arrow((1, 1), (2, 1)),
        arrow((1, 2), (2, 2)),
    ],
)
.noted("A block has 32 values. A pair takes 8 bytes: of f16, the value, zeros and the index; of f32, the value and the index.")];

pub(super) const TMRGSORT: &[Picture] = &[Picture::tiles(
    "two sorted lists of pairs become one: the greater of the two first remaining pairs comes next",
    &[
        Panel::source(
            "src0",
            (1, 8),
            &[
                pair(0, Paint::First, "pairs of src0"),
                pair(1, Paint::First, ""),
                pair(2, Paint::First, ""),
                pair(3, Paint::First, ""),
            ],
        )
        .holding(F32, &[9.0, 0.0, 7.0, 1.0, 4.0, 2.0, 1.0, 3.0])
        .paired()
        .at(0, 0),
        Panel::source(
            "src1",
            (1, 8),
            &[
                pair(0, Paint::Second, "pairs of src1"),
                pair(1, Paint::Second, ""),
                pair(2, Paint::Second, ""),
                pair(3, Paint::Second, ""),
            ],
        )
        .holding(F32, &[8.0, 4.0, 7.0, 5.0, 3.0, 6.0, 2.0, 7.0])
        .paired()
        .at(2, 0),
        Panel::destination(
            "dst",
            (1, 16),
            &[
                pair(0, Paint::First, ""),
                pair(1, Paint::Second, ""),
                pair(2, Paint::First, ""),
                pair(3, Paint::Second, ""),
                pair(4, Paint::First, ""),
                pair(5, Paint::Second, ""),
                pair(6, Paint::Second, ""),
                pair(7, Paint::First, ""),
            ],
        )
        .holding(F32, &[9.0, 0.0, 8.0, 4.0, 7.0, 1.0, 7.0, 5.0, 4.0, 2.0, 3.0, 6.0, 2.0, 7.0, 1.0, 3.0])
        .paired()
        .at(1, 0),
    ],
    &[
        arrow((0, 0), (2, 0)),
        arrow((0, 1), (2, 2)),
        arrow((0, 2), (2, 4)),
        arrow((0, 3), (2, 7)),
        arrow((1, 0), (2, 1)),
        arrow((1, 1), (2, 3)),
        arrow((1, 2), (2, 5)),
        arrow((1, 3), (2, 6)),
    ],
)
.with("exhausted = false, no_tmp")
.noted("Of equal values, such as 7, the value of the earlier list comes first.")];
