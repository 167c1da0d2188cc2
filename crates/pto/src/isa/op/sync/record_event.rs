//! RECORD_EVENT: instructions of one class tell those of another that they are done.

use super::event::{ATTRIBUTES, RULES, SOURCE, check_event};
use super::flag::NAMED;
use super::order::{By, Order, page};
use crate::isa::meaning::Meaning;

pub(super) static RECORD_EVENT: Order = Order {
    page: page(
        "record_event",
        "Records that the instructions of a class are done, for those of another class.",
        "set_flag between the pipes that run the two classes; a barrier where that is one pipe",
        SOURCE,
        NAMED,
        RULES,
    )
    .with(ATTRIBUTES),
    by: By::Named("src"),
    meaning: Meaning::Flag { sets: true, computed: false },
    check: check_event,
};
