//! TPOP_FROM_AIC: takes an entry out of a queue from the cube core.

use super::super::order::{By, Order, page};
use super::ends::ON_VECTOR;
use super::entries::{ENTRY, ID, NOSPLIT, OF_NUMBERED, POP, POPPED_RESULT, SPLIT, check_transfer, pops};
use crate::isa::meaning::{Core, EntryAction, Meaning};
use crate::isa::tile::Location;

pub(super) static TPOP_FROM_AIC: Order = Order {
    page: page(
        "tpop_from_aic",
        "Takes the next entry out of a queue from the cube core.",
        "waits for an entry; result is that entry, the part of a vector core where it is split",
        "docs/isa/TPOP.md",
        POP,
        &[&ON_VECTOR, &ID, &SPLIT, &ENTRY, &NOSPLIT],
    )
    .with(OF_NUMBERED)
    .touching(POPPED_RESULT),
    by: By::Operands(pops),
    meaning: Meaning::Entry { action: EntryAction::Pop, to: Some(Core::Vector) },
    check: |check| check_transfer(check, &[Location::Vec]),
};
