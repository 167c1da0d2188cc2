//! WAIT_FLAG: a pipe waits for another.

use super::flag::{NAMED, RULES, WITH_EVENT, check_named};
use super::order::{By, Order, page};
use crate::isa::meaning::Meaning;

pub(super) static WAIT_FLAG: Order = Order {
    page: page(
        "wait_flag",
        "Lets a pipe wait until another one of the core has set a flag for it.",
        "what dst begins after it begins when the set_flag of the same (src, dst, event) has been reached by src",
        "docs/isa/scalar/ops/pipeline-sync/wait-flag.md",
        NAMED,
        RULES,
    )
    .with(WITH_EVENT),
    by: By::Named("dst"),
    meaning: Meaning::Flag { sets: false, computed: false },
    check: check_named,
};
