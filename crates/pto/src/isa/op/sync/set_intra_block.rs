//! SET_INTRA_BLOCK: tells another core of the block that a pipe has come this far.

use super::cross::{INTRA, OF_INTRA, PATTERNS, check_intra};
use super::order::{By, Order, page};
use crate::isa::meaning::{Between, Meaning};

pub(super) static SET_INTRA_BLOCK: Order = Order {
    page: page(
        "set_intra_block",
        "Tells one other core of the block that a pipe has done what it was given so far.",
        "flag id of the cube core reaches vector core id / 16, flag id of a vector core the cube core",
        "docs/isa/scalar/ops/pipeline-sync/set-intra-block.md",
        PATTERNS,
        INTRA,
    )
    .with(OF_INTRA),
    by: By::Named("pipe"),
    meaning: Meaning::CoreFlag { sets: true, between: Between::Cores },
    check: check_intra,
};
