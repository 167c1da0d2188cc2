//! TFREE_FROM_AIC: gives a slot back to the cube core.

use super::super::order::{By, Order, page};
use super::ends::ON_VECTOR;
use super::entries::{FREE, ID, NAMED_VALUE, NOSPLIT, OF_NUMBERED, SPLIT, VIEW, check_transfer};
use crate::isa::meaning::{Core, EntryAction, Meaning};

pub(super) static TFREE_FROM_AIC: Order = Order {
    page: page(
        "tfree_from_aic",
        "Gives the slot of the entry that was popped back to the cube core.",
        "the slot of the oldest popped entry is free",
        "docs/isa/TFREE.md",
        FREE,
        &[&ON_VECTOR, &ID, &SPLIT, &VIEW, &NOSPLIT],
    )
    .with(OF_NUMBERED)
    .touching(NAMED_VALUE),
    by: By::Scalar,
    meaning: Meaning::Entry { action: EntryAction::Free, to: Some(Core::Vector) },
    check: |check| check_transfer(check, &[]),
};
