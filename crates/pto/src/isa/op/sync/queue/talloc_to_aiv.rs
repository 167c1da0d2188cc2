//! TALLOC_TO_AIV: takes a free slot for the vector cores.

use super::super::order::{By, Order, page};
use super::ends::ON_CUBE;
use super::entries::{ALLOCATE, ID, NOSPLIT, OF_NUMBERED, SPLIT, TAKEN_RESULT, VIEW, check_transfer};
use crate::isa::meaning::{Core, EntryAction, Meaning};

pub(super) static TALLOC_TO_AIV: Order = Order {
    page: page(
        "talloc_to_aiv",
        "Takes the next free slot in global memory of a queue to the vector cores.",
        "result is the slot, when there is a free one; nothing is written, and nobody is told",
        "docs/isa/TALLOC.md",
        ALLOCATE,
        &[&ON_CUBE, &ID, &SPLIT, &VIEW, &NOSPLIT],
    )
    .with(OF_NUMBERED)
    .touching(TAKEN_RESULT),
    by: By::Scalar,
    meaning: Meaning::Entry { action: EntryAction::Allocate, to: Some(Core::Vector) },
    check: |check| check_transfer(check, &[]),
};
