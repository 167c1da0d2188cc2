//! WAIT_EVENT: instructions of a class wait for those of another.

use super::event::{ATTRIBUTES, RULES, SOURCE, check_event};
use super::flag::NAMED;
use super::order::{By, Order, page};
use crate::isa::meaning::Meaning;

pub(super) static WAIT_EVENT: Order = Order {
    page: page(
        "wait_event",
        "Lets the instructions of a class wait for an event that another class has recorded.",
        "wait_flag between the pipes that run the two classes; nothing where that is one pipe",
        SOURCE,
        NAMED,
        RULES,
    )
    .with(ATTRIBUTES),
    by: By::Named("dst"),
    meaning: Meaning::Flag { sets: false, computed: false },
    check: check_event,
};
