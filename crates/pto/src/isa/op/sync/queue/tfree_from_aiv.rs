//! TFREE_FROM_AIV: gives a slot back to the vector cores.

use super::super::order::{By, Order, page};
use super::ends::ON_CUBE;
use super::entries::{FREE, ID, NAMED_VALUE, NOSPLIT, OF_NUMBERED, SPLIT, VIEW, check_transfer};
use crate::isa::meaning::{Core, EntryAction, Meaning};

pub(super) static TFREE_FROM_AIV: Order = Order {
    page: page(
        "tfree_from_aiv",
        "Gives the slot of the entry that was popped back to the vector cores.",
        "the slot of the oldest popped entry is free",
        "docs/isa/TFREE.md",
        FREE,
        &[&ON_CUBE, &ID, &SPLIT, &VIEW, &NOSPLIT],
    )
    .with(OF_NUMBERED)
    .touching(NAMED_VALUE),
    by: By::Scalar,
    meaning: Meaning::Entry { action: EntryAction::Free, to: Some(Core::Cube) },
    check: |check| check_transfer(check, &[]),
};
