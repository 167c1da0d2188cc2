//! TPUSH: puts an entry into a queue that is a value.

use super::super::order::{By, Order, page};
use super::entries::{BY_VALUE, ENTRY, OF_VALUE, PUSHED, SPLIT, check_transfer, pushes};
use crate::isa::meaning::{EntryAction, Meaning};
use crate::isa::tile::Location;

pub(super) static TPUSH: Order = Order {
    page: page(
        "tpush",
        "Puts a tile into the next slot of a queue, or tells its consumer that a slot is filled.",
        "waits for a free slot; the slot is value; then it may be popped",
        "docs/isa/TPUSH.md",
        BY_VALUE,
        &[&SPLIT, &ENTRY],
    )
    .with(OF_VALUE)
    .touching(PUSHED),
    by: By::Operands(pushes),
    meaning: Meaning::Entry { action: EntryAction::Push, to: None },
    check: |check| check_transfer(check, &[Location::Acc, Location::Vec]),
};
