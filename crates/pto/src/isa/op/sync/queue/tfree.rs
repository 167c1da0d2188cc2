//! TFREE: gives a slot of a queue that is a value back.

use super::super::order::{By, Order, page};
use super::entries::{ENTRY, NAMED_VALUE, OF_VALUE, SPLIT, check_transfer};
use crate::isa::meaning::{EntryAction, Meaning};
use crate::isa::op::form::{Kind, Syntax};
use crate::isa::tile::Location;

pub(super) static TFREE: Order = Order {
    page: page(
        "tfree",
        "Gives the slot of the entry that was popped back to the producer.",
        "the slot of the oldest popped entry is free",
        "docs/isa/TFREE.md",
        Syntax::Own(
            &["( %value , %pipe : :value , :pipe ) {}", "( %pipe : :pipe ) {}"],
            &[("value", Kind::TileOrView), ("pipe", Kind::Other)],
        ),
        &[&SPLIT, &ENTRY],
    )
    .with(OF_VALUE)
    .touching(NAMED_VALUE),
    by: By::Scalar,
    meaning: Meaning::Entry { action: EntryAction::Free, to: None },
    check: |check| check_transfer(check, &[Location::Vec, Location::Mat]),
};
