//! SET_FLAG_DYN: SET_FLAG with an event that the program computes.

use super::flag::{BETWEEN, COMPUTED, RULES, check_computed};
use super::order::{By, DECLARATIONS, Order, page};
use crate::isa::meaning::Meaning;

pub(super) static SET_FLAG_DYN: Order = Order {
    page: page(
        "set_flag_dyn",
        "Tells another pipe of the core that a pipe has come this far, by an event that the program computes.",
        "as set_flag, with event as a number",
        DECLARATIONS,
        COMPUTED,
        RULES,
    )
    .with(BETWEEN),
    by: By::Named("src"),
    meaning: Meaning::Flag { sets: true, computed: true },
    check: check_computed,
};
