//! TALLOC: takes a free slot of a queue that is a value.

use super::super::order::{By, Order, page};
use super::entries::{BY_VALUE, NAMED_VALUE, OF_VALUE, SPLIT, VIEW, check_transfer};
use crate::isa::meaning::{EntryAction, Meaning};

pub(super) static TALLOC: Order = Order {
    page: page(
        "talloc",
        "Takes the next free slot in global memory of a queue.",
        "value is the slot, when there is a free one; nothing is written, and nobody is told",
        "docs/isa/TALLOC.md",
        BY_VALUE,
        &[&SPLIT, &VIEW],
    )
    .with(OF_VALUE)
    .touching(NAMED_VALUE),
    by: By::Scalar,
    meaning: Meaning::Entry { action: EntryAction::Allocate, to: None },
    check: |check| check_transfer(check, &[]),
};
