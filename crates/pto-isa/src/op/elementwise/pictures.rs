//! Pictures of conversions: the bits of 0.1 in smaller formats, and of a number that becomes an integer.

use crate::element::Element::{Bf16, E4M3, E5M2, F16, F32, HiF8, I8};
use crate::op::picture::{Paint, Panel, Patch, Picture, Word, arrow};

/// The f32 nearest to 0.1.
const TENTH: Word = Word::of("src", F32, 0x3dcc_cccd);

const VALUES: &[Patch] = &[
    Patch::new((0, 0), (1, 2), Paint::First, "ties: to the even neighbour"),
    Patch::new((0, 2), (1, 2), Paint::Second, "others: to the nearest value"),
    Patch::new((0, 4), (1, 2), Paint::Parameter, "out of range: the nearest value of i8"),
];

pub(super) const TCVT: &[Picture] = &[
    Picture::bits("f32 to f16: fewer bits for exponent and mantissa", TENTH, Word::of("dst", F16, 0x2e66)),
    Picture::bits(
        "f32 to bf16: the exponent stays, the mantissa is cut",
        TENTH,
        Word::of("dst", Bf16, 0x3dcd),
    ),
    Picture::bits("f32 to f8E4M3FN: three mantissa bits", TENTH, Word::of("dst", E4M3, 0x1d)),
    Picture::bits(
        "f32 to f8E5M2: two mantissa bits, the exponent of f16",
        TENTH,
        Word::of("dst", E5M2, 0x2e),
    ),
    Picture::bits(
        "f32 to hif8: the prefix gives the widths of exponent and mantissa",
        TENTH,
        Word::of("dst", HiF8, 0x52),
    ),
    Picture::bits(
        "f16 to i8: the exponent gives the number of bits before the point",
        Word::of("src", F16, 0x4580),
        Word::of("dst", I8, 6),
    ),
    Picture::tiles(
        "f16 to i8: to nearest, ties to even; saturating",
        &[
            Panel::source("src", (1, 6), VALUES)
                .holding(F16, &[2.5, 3.5, -1.75, 7.25, 300.0, -300.0])
                .at(0, 0),
            Panel::destination("dst", (1, 6), VALUES)
                .holding(I8, &[2.0, 4.0, -2.0, 7.0, 127.0, -128.0])
                .at(1, 0),
        ],
        &[arrow((0, 0), (1, 0)), arrow((0, 1), (1, 1)), arrow((0, 2), (1, 2))],
    )
    .with("rmode = #pto<round_mode RINT>, sat_mode = #pto<saturation_mode ON>"),
];
