//! SETFMATRIX: tells TIMG2COL the feature map and the padding around it.

use super::fmatrix;
use super::setup::{Setup, page};

pub(in crate::isa::op::layout) static SETFMATRIX: Setup = Setup {
    page: page(
        "setfmatrix",
        &["SETFMATRIX"],
        "Sets the size of the feature map and the padding around it for timg2col.",
        "FMATRIX = columns | rows << 16 | left << 32 | right << 40 | top << 48 | bottom << 56, from fmap and pad; without \
         fmap the size is the tile's",
        "docs/isa/SETFMATRIX.md",
    ),
    value: fmatrix,
    register: |registers| &mut registers.fmatrix,
    in_both_sets: true,
};
