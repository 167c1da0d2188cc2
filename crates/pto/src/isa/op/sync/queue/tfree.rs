//! TFREE: gives a slot of a queue that is a value back.

use super::super::order::{By, Order, page};
use super::entries::{SPLIT, VIEW, check_transfer};

pub(super) static TFREE: Order = Order {
    page: page(
        "tfree",
        "Gives the slot of the entry that was popped back to the producer.",
        "the slot of the oldest popped entry is free",
        "docs/isa/TFREE.md",
        &["( %value , %pipe : :value , :pipe ) {}", "( %pipe : :pipe ) {}"],
        &[&SPLIT, &VIEW],
    ),
    by: By::Scalar,
    check: |check| check_transfer(check, &[]),
};
