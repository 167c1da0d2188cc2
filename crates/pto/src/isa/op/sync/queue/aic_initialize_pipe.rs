//! AIC_INITIALIZE_PIPE: the cube core's end of a queue.

use super::super::order::{By, Order, page};
use super::ends::{CUBE_END, MANUAL, OF_NUMBERED, PATTERNS, SLOTS_OF_NUMBERED, check_numbered};
use crate::isa::meaning::{Core, Meaning};

pub(super) static AIC_INITIALIZE_PIPE: Order = Order {
    page: page(
        "aic_initialize_pipe",
        "Opens the cube core's end of the queue that has a number.",
        "the queue has slot_num free slots of slot_size bytes for each direction of dir_mask",
        MANUAL,
        PATTERNS,
        CUBE_END,
    )
    .with(OF_NUMBERED)
    .touching(SLOTS_OF_NUMBERED),
    by: By::Scalar,
    meaning: Meaning::QueueEnd(Core::Cube),
    check: check_numbered,
};
