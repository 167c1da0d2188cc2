//! TALLOC_TO_AIC: takes a free slot for the cube core.

use super::super::order::{By, Order, page};
use super::ends::ON_VECTOR;
use super::entries::{ALLOCATE, ID, NOSPLIT, OF_NUMBERED, SPLIT, TAKEN_RESULT, VIEW, check_transfer};
use crate::isa::meaning::{Core, EntryAction, Meaning};

pub(super) static TALLOC_TO_AIC: Order = Order {
    page: page(
        "talloc_to_aic",
        "Takes the next free slot in global memory of a queue to the cube core.",
        "result is the slot, when there is a free one; nothing is written, and nobody is told",
        "docs/isa/TALLOC.md",
        ALLOCATE,
        &[&ON_VECTOR, &ID, &SPLIT, &VIEW, &NOSPLIT],
    )
    .with(OF_NUMBERED)
    .touching(TAKEN_RESULT),
    by: By::Scalar,
    meaning: Meaning::Entry { action: EntryAction::Allocate, to: Some(Core::Cube) },
    check: |check| check_transfer(check, &[]),
};
