//! SYNC_WAIT: a pipe waits for other cores.

use super::cross::{MODED, OF_MODED, PATTERNS, check_moded};
use super::order::{By, Order, page};
use crate::isa::meaning::{Between, Meaning};

pub(super) static SYNC_WAIT: Order = Order {
    page: page(
        "sync.wait",
        "Lets a pipe wait until all cores that a flag comes from have set it.",
        "what pipe begins after it begins when each of those cores has set flag id",
        "docs/PTO_IR_manual.md of the public assembler, 4.16",
        PATTERNS,
        MODED,
    )
    .with(OF_MODED),
    by: By::Named("pipe"),
    meaning: Meaning::CoreFlag { sets: false, between: Between::Moded },
    check: check_moded,
};
