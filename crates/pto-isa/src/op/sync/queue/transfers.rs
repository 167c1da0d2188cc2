//! The instructions that transfer queue entries: TALLOC allocates a slot, TPUSH fills it, TPOP takes the entry and
//! TFREE frees the slot. The queue is a value, or is identified by a number and the kind of the other core.

use super::super::order::{By, Order, page};
use super::entries::{
    ALLOCATE, BY_VALUE, ENTRY, FREE, HALVES, ID, NAMED_VALUE, NOSPLIT, ODD, OF_NUMBERED, OF_VALUE, POP,
    POPPED_RESULT, POPPED_VALUE, PUSH, PUSHED, SPLIT, SUBBLOCK, TAKEN_RESULT, VALID, VIEW, check_halves,
    check_transfer,
};
use super::pictures;
use crate::meaning::{Core, EntryAction, Meaning};
use crate::op::form::{Kind, Syntax};
use crate::op::origin::Origin;
use crate::tile::Location;

pub(super) static TALLOC: Order = Order {
    page: page(
        "talloc",
        "Takes the next free slot of a queue in global memory.",
        "waits for a free slot; value is that slot; nothing is written or signalled",
        "docs/isa/TALLOC.md",
        BY_VALUE,
        &[&SPLIT, &VIEW],
    )
    .with(OF_VALUE)
    .touching(NAMED_VALUE)
    .pictured(pictures::TRANSFER),
    by: By::Queue,
    meaning: Meaning::Entry { action: EntryAction::Allocate, to: None },
    check: |check| check_transfer(check, &[]),
};

pub(super) static TALLOC_TO_AIC: Order = Order {
    page: page(
        "talloc_to_aic",
        "Takes the next free slot of a queue to the cube core, in global memory.",
        "waits for a free slot; result is that slot; nothing is written or signalled",
        "docs/isa/TALLOC.md",
        ALLOCATE,
        &[&ID, &SPLIT, &VIEW, &NOSPLIT],
    )
    .with(OF_NUMBERED)
    .touching(TAKEN_RESULT)
    .from(Origin::Names(&[]))
    .pictured(pictures::TRANSFER),
    by: By::Queue,
    meaning: Meaning::Entry { action: EntryAction::Allocate, to: Some(Core::Cube) },
    check: |check| check_transfer(check, &[]),
};

pub(super) static TALLOC_TO_AIV: Order = Order {
    page: page(
        "talloc_to_aiv",
        "Takes the next free slot of a queue to the vector cores, in global memory.",
        "waits for a free slot; result is that slot; nothing is written or signalled",
        "docs/isa/TALLOC.md",
        ALLOCATE,
        &[&ID, &SPLIT, &VIEW, &NOSPLIT],
    )
    .with(OF_NUMBERED)
    .touching(TAKEN_RESULT)
    .from(Origin::Names(&[]))
    .pictured(pictures::TRANSFER),
    by: By::Queue,
    meaning: Meaning::Entry { action: EntryAction::Allocate, to: Some(Core::Vector) },
    check: |check| check_transfer(check, &[]),
};

pub(super) static TFREE: Order = Order {
    page: page(
        "tfree",
        "Gives the slot of a popped entry back to the producer.",
        "the slot of the oldest popped entry is free",
        "docs/isa/TFREE.md",
        Syntax::Own(
            &["( %value , %pipe : :value , :pipe ) {}", "( %pipe : :pipe ) {}"],
            &[("value", Kind::TileOrView), ("pipe", Kind::Other)],
        ),
        &[&SPLIT, &ENTRY],
    )
    .with(OF_VALUE)
    .touching(NAMED_VALUE)
    .pictured(pictures::TRANSFER),
    by: By::Queue,
    meaning: Meaning::Entry { action: EntryAction::Free, to: None },
    check: |check| check_transfer(check, &[Location::Vec, Location::Mat]),
};

pub(super) static TFREE_FROM_AIC: Order = Order {
    page: page(
        "tfree_from_aic",
        "Gives the slot of a popped entry back to the cube core.",
        "the slot of the oldest popped entry is free",
        "docs/isa/TFREE.md",
        FREE,
        &[&ID, &SPLIT, &VIEW, &NOSPLIT],
    )
    .with(OF_NUMBERED)
    .touching(NAMED_VALUE)
    .pictured(pictures::TRANSFER),
    by: By::Queue,
    meaning: Meaning::Entry { action: EntryAction::Free, to: Some(Core::Vector) },
    check: |check| check_transfer(check, &[]),
};

pub(super) static TFREE_FROM_AIV: Order = Order {
    page: page(
        "tfree_from_aiv",
        "Gives the slot of a popped entry back to the vector cores.",
        "the slot of the oldest popped entry is free",
        "docs/isa/TFREE.md",
        FREE,
        &[&ID, &SPLIT, &VIEW, &NOSPLIT],
    )
    .with(OF_NUMBERED)
    .touching(NAMED_VALUE)
    .pictured(pictures::TRANSFER),
    by: By::Queue,
    meaning: Meaning::Entry { action: EntryAction::Free, to: Some(Core::Cube) },
    check: |check| check_transfer(check, &[]),
};

pub(super) static TPOP: Order = Order {
    page: page(
        "tpop",
        "Takes the next entry out of a queue.",
        "waits for an entry; value is that entry, or the vector core's part of a split entry",
        "docs/isa/TPOP.md",
        BY_VALUE,
        &[&SPLIT, &ENTRY],
    )
    .with(OF_VALUE)
    .touching(POPPED_VALUE)
    .pictured(pictures::TRANSFER),
    by: By::Queue,
    meaning: Meaning::Entry { action: EntryAction::Pop, to: None },
    check: |check| check_transfer(check, &[Location::Vec, Location::Mat]),
};

pub(super) static TPOP_FROM_AIC: Order = Order {
    page: page(
        "tpop_from_aic",
        "Takes the next entry out of a queue from the cube core.",
        "waits for an entry; result is that entry, or the vector core's part of a split entry",
        "docs/isa/TPOP.md",
        POP,
        &[&ID, &SPLIT, &ENTRY, &NOSPLIT, &VALID, &SUBBLOCK, &ODD],
    )
    .with(OF_NUMBERED)
    .touching(POPPED_RESULT)
    .from(Origin::Names(&[]))
    .pictured(pictures::TRANSFER),
    by: By::Queue,
    meaning: Meaning::Entry { action: EntryAction::Pop, to: Some(Core::Vector) },
    check: |check| check_transfer(check, &[Location::Vec]),
};

pub(super) static TPOP_FROM_AIV: Order = Order {
    page: page(
        "tpop_from_aiv",
        "Takes the next entry out of a queue from the vector cores.",
        "waits for an entry; result is that entry, or the vector core's part of a split entry",
        "docs/isa/TPOP.md",
        POP,
        &[&ID, &SPLIT, &ENTRY, &NOSPLIT, &VALID, &SUBBLOCK],
    )
    .with(OF_NUMBERED)
    .touching(POPPED_RESULT)
    .from(Origin::Names(&[]))
    .pictured(pictures::TRANSFER),
    by: By::Queue,
    meaning: Meaning::Entry { action: EntryAction::Pop, to: Some(Core::Cube) },
    check: |check| check_transfer(check, &[Location::Mat]),
};

pub(super) static TPUSH: Order = Order {
    page: page(
        "tpush",
        "Puts a tile into the next slot of a queue, or marks an allocated slot as filled.",
        "waits for a free slot; the slot holds value; then the consumer may pop it",
        "docs/isa/TPUSH.md",
        BY_VALUE,
        &[&SPLIT, &ENTRY],
    )
    .with(OF_VALUE)
    .touching(PUSHED)
    .pictured(pictures::TRANSFER),
    by: By::Queue,
    meaning: Meaning::Entry { action: EntryAction::Push, to: None },
    check: |check| check_transfer(check, &[Location::Acc, Location::Vec]),
};

pub(super) static TPUSH_TO_AIC: Order = Order {
    page: page(
        "tpush_to_aic",
        "Puts a tile into the next slot of a queue to the cube core, or marks an allocated slot as filled.",
        "waits for a free slot; the slot holds value; then the cube core may pop it",
        "docs/isa/TPUSH.md",
        PUSH,
        &[&ID, &SPLIT, &ENTRY, &NOSPLIT, &SUBBLOCK],
    )
    .with(OF_NUMBERED)
    .touching(PUSHED)
    .pictured(pictures::TRANSFER),
    by: By::Queue,
    meaning: Meaning::Entry { action: EntryAction::Push, to: Some(Core::Cube) },
    check: |check| check_transfer(check, &[Location::Vec]),
};

pub(super) static TPUSH_TO_AIV: Order = Order {
    page: page(
        "tpush_to_aiv",
        "Puts a tile into the next slot of a queue to the vector cores, or marks an allocated slot as filled.",
        "waits for a free slot; the slot holds value; then the vector cores may pop it",
        "docs/isa/TPUSH.md",
        PUSH,
        &[&ID, &SPLIT, &ENTRY, &HALVES, &NOSPLIT, &SUBBLOCK, &ODD],
    )
    .with(OF_NUMBERED)
    .touching(PUSHED)
    .pictured(pictures::TRANSFER),
    by: By::Queue,
    meaning: Meaning::Entry { action: EntryAction::Push, to: Some(Core::Vector) },
    check: |check| {
        check_transfer(check, &[Location::Acc]);
        check_halves(check);
    },
};
