//! Events between classes of instructions; each class is equivalent to the pipe that runs it.

use super::flag::NAMED;
use super::named;
use super::order::{By, Order, page};
use super::pictures;
use crate::meaning::Meaning;
use crate::op::attribute::AttributeSpec;

pub(super) static RECORD_EVENT: Order = Order {
    page: page(
        "record_event",
        "Sets an event for a class of instructions when the earlier instructions of another class have ended.",
        "set_flag between the pipes that run the two classes; a barrier if one pipe runs both",
        SOURCE,
        NAMED,
        &[],
    )
    .with(ATTRIBUTES)
    .pictured(pictures::EVENTS),
    by: By::Named("src"),
    meaning: Meaning::Flag { sets: true, computed: false },
    check: |_| {},
};

pub(super) static WAIT_EVENT: Order = Order {
    page: page(
        "wait_event",
        "Makes the instructions of a class wait for an event that another class has recorded.",
        "wait_flag between the pipes that run the two classes; nothing if one pipe runs both",
        SOURCE,
        NAMED,
        &[],
    )
    .with(ATTRIBUTES)
    .pictured(pictures::EVENTS),
    by: By::Named("dst"),
    meaning: Meaning::Flag { sets: false, computed: false },
    check: |_| {},
};

pub(super) const SOURCE: &str = "docs/PTO_IR_manual.md of the public assembler, 4.16";
pub(super) const ATTRIBUTES: &[AttributeSpec] = &[
    named::class("src", "The class of instructions that come before the event."),
    named::class("dst", "The class of instructions that come after the event."),
    named::EVENT,
];
