//! SET_CROSS_BLOCK: tells the other blocks that a pipe has come this far.

use super::cross::{ACROSS, OF_BLOCKS, PATTERNS, check_blocks};
use super::order::{By, DECLARATIONS, Order, page};
use crate::isa::meaning::{Between, Meaning};

pub(super) static SET_CROSS_BLOCK: Order = Order {
    page: page(
        "set_cross_block",
        "Tells the other blocks that a pipe has done what it was given so far.",
        "sync.set with ffts_mode 0",
        DECLARATIONS,
        PATTERNS,
        ACROSS,
    )
    .with(OF_BLOCKS),
    by: By::Named("pipe"),
    meaning: Meaning::CoreFlag { sets: true, between: Between::Blocks },
    check: check_blocks,
};
