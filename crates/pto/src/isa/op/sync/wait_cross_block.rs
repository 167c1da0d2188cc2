//! WAIT_CROSS_BLOCK: a pipe waits for the other blocks.

use super::cross::{ACROSS, OF_BLOCKS, PATTERNS, check_blocks};
use super::order::{By, DECLARATIONS, Order, page};
use crate::isa::meaning::{Between, Meaning};

pub(super) static WAIT_CROSS_BLOCK: Order = Order {
    page: page(
        "wait_cross_block",
        "Lets a pipe wait until every block has set a flag.",
        "sync.wait with ffts_mode 0",
        DECLARATIONS,
        PATTERNS,
        ACROSS,
    )
    .with(OF_BLOCKS),
    by: By::Named("pipe"),
    meaning: Meaning::CoreFlag { sets: false, between: Between::Blocks },
    check: check_blocks,
};
