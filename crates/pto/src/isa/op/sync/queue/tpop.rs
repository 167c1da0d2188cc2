//! TPOP: takes an entry out of a queue that is a value.

use super::super::order::{By, Order, page};
use super::entries::{BY_VALUE, ENTRY, OF_VALUE, POPPED_VALUE, SPLIT, check_transfer, pops};
use crate::isa::meaning::{EntryAction, Meaning};
use crate::isa::tile::Location;

pub(super) static TPOP: Order = Order {
    page: page(
        "tpop",
        "Takes the next entry out of a queue.",
        "waits for an entry; value is that entry, the part of a vector core where it is split",
        "docs/isa/TPOP.md",
        BY_VALUE,
        &[&SPLIT, &ENTRY],
    )
    .with(OF_VALUE)
    .touching(POPPED_VALUE),
    by: By::Operands(pops),
    meaning: Meaning::Entry { action: EntryAction::Pop, to: None },
    check: |check| check_transfer(check, &[Location::Vec, Location::Mat]),
};
