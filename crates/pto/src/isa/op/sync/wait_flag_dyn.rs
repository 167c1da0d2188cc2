//! WAIT_FLAG_DYN: WAIT_FLAG with an event that the program computes.

use super::flag::{BETWEEN, COMPUTED, RULES, check_computed};
use super::order::{By, DECLARATIONS, Order, page};
use crate::isa::meaning::Meaning;

pub(super) static WAIT_FLAG_DYN: Order = Order {
    page: page(
        "wait_flag_dyn",
        "Lets a pipe wait for another one, by an event that the program computes.",
        "as wait_flag, with event as a number",
        DECLARATIONS,
        COMPUTED,
        RULES,
    )
    .with(BETWEEN),
    by: By::Named("dst"),
    meaning: Meaning::Flag { sets: false, computed: true },
    check: check_computed,
};
