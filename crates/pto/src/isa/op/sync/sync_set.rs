//! SYNC_SET: tells other cores that a pipe has come this far.

use super::cross::{MODED, OF_MODED, PATTERNS, check_moded};
use super::order::{By, Order, page};
use crate::isa::meaning::{Between, Meaning};

pub(super) static SYNC_SET: Order = Order {
    page: page(
        "sync.set",
        "Tells other cores that a pipe has done what it was given so far: those that ffts_mode says, else those of the block.",
        "flag id reaches both vector cores from the cube core, the cube core from both (ffts_mode 2)",
        "docs/PTO_IR_manual.md of the public assembler, 4.16",
        PATTERNS,
        MODED,
    )
    .with(OF_MODED),
    by: By::Named("pipe"),
    meaning: Meaning::CoreFlag { sets: true, between: Between::Moded },
    check: check_moded,
};
