//! TPUSH_TO_AIC: puts an entry into a queue to the cube core.

use super::super::order::{By, Order, page};
use super::ends::ON_VECTOR;
use super::entries::{ENTRY, ID, NOSPLIT, OF_NUMBERED, PUSH, PUSHED, SPLIT, check_transfer, pushes};
use crate::isa::meaning::{Core, EntryAction, Meaning};
use crate::isa::tile::Location;

pub(super) static TPUSH_TO_AIC: Order = Order {
    page: page(
        "tpush_to_aic",
        "Puts a tile into the next slot of a queue to the cube core, or tells them that a slot is filled.",
        "waits for a free slot; the slot is value; then the cube core may pop it",
        "docs/isa/TPUSH.md",
        PUSH,
        &[&ON_VECTOR, &ID, &SPLIT, &ENTRY, &NOSPLIT],
    )
    .with(OF_NUMBERED)
    .touching(PUSHED),
    by: By::Operands(pushes),
    meaning: Meaning::Entry { action: EntryAction::Push, to: Some(Core::Cube) },
    check: |check| check_transfer(check, &[Location::Vec]),
};
