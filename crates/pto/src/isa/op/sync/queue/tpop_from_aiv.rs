//! TPOP_FROM_AIV: takes an entry out of a queue from the vector cores.

use super::super::order::{By, Order, page};
use super::ends::ON_CUBE;
use super::entries::{ENTRY, ID, NOSPLIT, OF_NUMBERED, POP, POPPED_RESULT, SPLIT, check_transfer, pops};
use crate::isa::meaning::{Core, EntryAction, Meaning};
use crate::isa::tile::Location;

pub(super) static TPOP_FROM_AIV: Order = Order {
    page: page(
        "tpop_from_aiv",
        "Takes the next entry out of a queue from the vector cores.",
        "waits for an entry; result is that entry, the part of a vector core where it is split",
        "docs/isa/TPOP.md",
        POP,
        &[&ON_CUBE, &ID, &SPLIT, &ENTRY, &NOSPLIT],
    )
    .with(OF_NUMBERED)
    .touching(POPPED_RESULT),
    by: By::Operands(pops),
    meaning: Meaning::Entry { action: EntryAction::Pop, to: Some(Core::Cube) },
    check: |check| check_transfer(check, &[Location::Mat]),
};
