//! TPUSH_TO_AIV: puts an entry into a queue to the vector cores.

use super::super::order::{By, Order, page};
use super::ends::ON_CUBE;
use super::entries::{
    ENTRY, HALVES, ID, NOSPLIT, OF_NUMBERED, PUSH, PUSHED, SPLIT, check_halves, check_transfer, pushes,
};
use crate::isa::meaning::{Core, EntryAction, Meaning};
use crate::isa::tile::Location;

pub(super) static TPUSH_TO_AIV: Order = Order {
    page: page(
        "tpush_to_aiv",
        "Puts a tile into the next slot of a queue to the vector cores, or tells them that a slot is filled.",
        "waits for a free slot; the slot is value; then the vector cores may pop it",
        "docs/isa/TPUSH.md",
        PUSH,
        &[&ON_CUBE, &ID, &SPLIT, &ENTRY, &HALVES, &NOSPLIT],
    )
    .with(OF_NUMBERED)
    .touching(PUSHED),
    by: By::Operands(pushes),
    meaning: Meaning::Entry { action: EntryAction::Push, to: Some(Core::Vector) },
    check: |check| {
        check_transfer(check, &[Location::Acc]);
        check_halves(check);
    },
};
