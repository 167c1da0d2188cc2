//! Pictures of queues: a ring of slots between a producer and a consumer.

use crate::op::picture::{Cells, Lane, Paint, Panel, Patch, Picture, Step, arrow_with, edge_with};

const fn slot(number: u8, paint: Paint, label: &'static str) -> Patch {
    Patch::new((0, number), (1, 1), paint, label)
}

/// The ring.
const RING: Picture = Picture::tiles(
    "four slots in a ring: entries 2 and 3 are filled, entry 4 comes next",
    &[
        Panel::source("producer", (1, 1), &[slot(0, Paint::First, "").with(Cells::Words(&["entry 4"]))]).at(0, 0),
        Panel::destination(
            "slots",
            (1, 4),
            &[
                slot(0, Paint::First, "tpush fills it next").with(Cells::Words(&["entry 4"])),
                slot(1, Paint::Outside, "free").with(Cells::Words(&["free"])),
                slot(2, Paint::Result, "tpop takes it next").with(Cells::Words(&["entry 2"])),
                slot(3, Paint::Second, "filled").with(Cells::Words(&["entry 3"])),
            ],
        )
        .numbered()
        .at(1, 0),
        Panel::destination("consumer", (1, 1), &[slot(0, Paint::Result, "").with(Cells::Words(&["entry 2"]))]).at(2, 0),
    ],
    &[arrow_with((0, 0), (1, 0), "tpush"), arrow_with((1, 2), (2, 0), "tpop"), arrow_with((1, 3), (1, 0), "")],
)
.noted("Slot 0 comes after slot 3. After tfree slot 2 is free again, for entry 6. Entries leave in the order in which they came.");

/// The order of the transfers.
const TRANSFERS: Picture = Picture::timeline(
    "two slots: the producer waits while both are filled, the consumer while both are free",
    &[
        Lane::of("slot 0", &[Step::holds(5, 19, "A"), Step::holds(24, 35, "C")]),
        Lane::of(
            "producer",
            &[
                Step::syncs(0, 5, "tpush A"),
                Step::syncs(5, 10, "tpush B"),
                Step::waits(10, 19),
                Step::syncs(19, 24, "tpush C"),
            ],
        ),
        Lane::of(
            "consumer",
            &[
                Step::waits(0, 5),
                Step::syncs(5, 9, "tpop A"),
                Step::works(9, 16, "uses A"),
                Step::syncs(16, 19, "tfree"),
                Step::syncs(19, 23, "tpop B"),
                Step::works(23, 29, "uses B"),
                Step::syncs(29, 32, "tfree"),
            ],
        ),
        Lane::of("slot 1", &[Step::holds(10, 32, "B")]),
    ],
    &[edge_with((1, 0), (2, 1), "filled"), edge_with((2, 3), (1, 3), "free")],
)
.noted("A slot holds its entry from the end of tpush to tfree; tpop alone frees nothing.");

/// The pictures of the operations that transfer entries.
pub(super) const TRANSFER: &[Picture] = &[RING, TRANSFERS];
