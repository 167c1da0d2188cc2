//! AIV_INITIALIZE_PIPE: a vector core's end of a queue.

use super::super::order::{By, Order, page};
use super::ends::{MANUAL, OF_NUMBERED, PATTERNS, SLOTS_OF_NUMBERED, VECTOR_END, check_numbered};
use crate::isa::meaning::{Core, Meaning};

pub(super) static AIV_INITIALIZE_PIPE: Order = Order {
    page: page(
        "aiv_initialize_pipe",
        "Opens a vector core's end of the queue that has a number.",
        "the queue has slot_num free slots of slot_size bytes for each direction of dir_mask",
        MANUAL,
        PATTERNS,
        VECTOR_END,
    )
    .with(OF_NUMBERED)
    .touching(SLOTS_OF_NUMBERED),
    by: By::Scalar,
    meaning: Meaning::QueueEnd(Core::Vector),
    check: check_numbered,
};
