//! WAIT_INTRA_BLOCK: a pipe waits for another core of the block.

use super::cross::{INTRA, OF_INTRA, PATTERNS, check_intra};
use super::order::{By, Order, page};
use crate::isa::meaning::{Between, Meaning};

pub(super) static WAIT_INTRA_BLOCK: Order = Order {
    page: page(
        "wait_intra_block",
        "Lets a pipe wait until another core of the block has set a flag for it.",
        "what pipe begins after it begins when the core that flag id comes from has set it",
        "docs/isa/scalar/ops/pipeline-sync/wait-intra-core.md",
        PATTERNS,
        INTRA,
    )
    .with(OF_INTRA),
    by: By::Named("pipe"),
    meaning: Meaning::CoreFlag { sets: false, between: Between::Cores },
    check: check_intra,
};
