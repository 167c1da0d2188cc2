//! SET_FLAG: one pipe tells another that it has come this far.

use super::flag::{NAMED, RULES, WITH_EVENT, check_named};
use super::order::{By, Order, page};
use crate::isa::meaning::Meaning;

pub(super) static SET_FLAG: Order = Order {
    page: page(
        "set_flag",
        "Tells another pipe of the core that a pipe has done what it was given so far.",
        "what src has begun before it is done before what dst begins after the wait_flag of the same (src, dst, event)",
        "docs/isa/scalar/ops/pipeline-sync/set-flag.md",
        NAMED,
        RULES,
    )
    .with(WITH_EVENT),
    by: By::Named("src"),
    meaning: Meaning::Flag { sets: true, computed: false },
    check: check_named,
};
