//! SET_IMG2COL_PADDING: tells TIMG2COL the value outside the feature map.

use super::padding;
use super::setup::{Setup, page};

pub(in crate::isa::op::layout) static SET_IMG2COL_PADDING: Setup = Setup {
    page: page(
        "set_img2col_padding",
        &["SET_IMG2COL_PADDING"],
        "Sets the value that timg2col finds outside the feature map.",
        "PADDING = pad_value as bits of the tile's element type, an 8-bit value twice",
        "docs/isa/SET_IMG2COL_PADDING.md",
    ),
    value: |site, tile| padding(site, tile.element),
    register: |registers| &mut registers.padding,
    in_both_sets: false,
};
