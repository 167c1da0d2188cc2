//! Pictures of synchronization: pipes or cores as lanes, and the steps that an operation orders.

use crate::op::picture::{Lane, Picture, Step, edge, edge_with};

/// A flag from MTE2 to V.
const FLAG: Picture = Picture::timeline(
    "a flag from MTE2 to V: V begins tadd when MTE2 has ended tload",
    &[
        Lane::of("MTE2", &[Step::works(0, 7, "tload %a"), Step::syncs(7, 12, "set_flag"), Step::works(12, 19, "tload %b")]),
        Lane::of("V", &[Step::works(0, 4, "tmul"), Step::waits(4, 12), Step::syncs(12, 17, "wait_flag"), Step::works(17, 23, "tadd %a")]),
    ],
    &[edge_with((0, 1), (1, 2), "event")],
)
.noted("Each pipe runs its own instructions in order; only the flag orders two pipes. tload %b is not ordered with tadd.");

pub(super) const FLAGS: &[Picture] = &[FLAG];

pub(super) const EVENTS: &[Picture] = &[Picture::timeline(
    "an event from loads to vector instructions",
    &[
        Lane::of(
            "MTE2",
            &[
                Step::works(0, 7, "tload %a"),
                Step::syncs(7, 15, "record_event"),
                Step::works(15, 22, "tload %b"),
            ],
        ),
        Lane::of(
            "V",
            &[
                Step::works(0, 4, "tmul"),
                Step::waits(4, 15),
                Step::syncs(15, 22, "wait_event"),
                Step::works(22, 28, "tadd %a"),
            ],
        ),
    ],
    &[edge_with((0, 1), (1, 2), "event")],
)
.noted("The classes of the two instructions name the pipes: loads run on MTE2, vector instructions on V.")];

pub(super) const BARRIERS: &[Picture] = &[
    Picture::timeline(
        "barrier <PIPE_V>: tmul begins when tadd has ended; the other pipes go on",
        &[
            Lane::of("MTE2", &[Step::works(0, 7, "tload"), Step::works(7, 14, "tload")]),
            Lane::of(
                "V",
                &[Step::works(0, 6, "tadd"), Step::syncs(6, 10, "barrier"), Step::works(10, 16, "tmul")],
            ),
        ],
        &[],
    ),
    Picture::timeline(
        "barrier <PIPE_ALL>: no pipe goes on before all pipes have ended their earlier instructions",
        &[
            Lane::of(
                "V",
                &[
                    Step::works(0, 5, "tadd"),
                    Step::waits(5, 9),
                    Step::syncs(9, 13, "barrier"),
                    Step::works(13, 19, "tmul"),
                ],
            ),
            Lane::of(
                "MTE2",
                &[Step::works(0, 9, "tload"), Step::syncs(9, 13, "barrier"), Step::works(13, 18, "tload")],
            ),
            Lane::of(
                "MTE3",
                &[
                    Step::works(0, 4, "tstore"),
                    Step::waits(4, 9),
                    Step::syncs(9, 13, "barrier"),
                    Step::works(13, 17, "tstore"),
                ],
            ),
        ],
        &[edge((1, 0), (0, 2)), edge((1, 0), (2, 2))],
    ),
];

/// From the cube core to both vector cores.
const OUTWARD: Picture = Picture::timeline(
    "from the cube core to both vector cores: one sync.set, and a sync.wait on each vector core",
    &[
        Lane::of(
            "vector core 0, MTE2",
            &[Step::waits(0, 12), Step::syncs(12, 18, "sync.wait"), Step::works(18, 23, "tload")],
        ),
        Lane::of("cube core, FIX", &[Step::works(0, 6, "tstore"), Step::syncs(6, 12, "sync.set")]),
        Lane::of(
            "vector core 1, MTE2",
            &[Step::waits(0, 12), Step::syncs(12, 18, "sync.wait"), Step::works(18, 23, "tload")],
        ),
    ],
    &[edge_with((1, 1), (0, 1), "flag"), edge_with((1, 1), (2, 1), "flag")],
);

/// From both vector cores to the cube core.
const INWARD: Picture = Picture::timeline(
    "from the vector cores to the cube core: the wait ends when both vector cores have set the flag",
    &[
        Lane::of("vector core 0, MTE3", &[Step::works(0, 6, "tstore"), Step::syncs(6, 12, "sync.set")]),
        Lane::of(
            "cube core, MTE2",
            &[Step::waits(0, 16), Step::syncs(16, 22, "sync.wait"), Step::works(22, 27, "tload")],
        ),
        Lane::of("vector core 1, MTE3", &[Step::works(0, 10, "tstore"), Step::syncs(10, 16, "sync.set")]),
    ],
    &[edge_with((0, 1), (1, 1), "flag"), edge_with((2, 1), (1, 1), "flag")],
);

pub(super) const CORES: &[Picture] = &[OUTWARD, INWARD];

pub(super) const ONE_CORE: &[Picture] = &[Picture::timeline(
    "flag 0 of the cube core reaches vector core 0 only; flag 16 reaches vector core 1",
    &[
        Lane::of(
            "cube core, FIX",
            &[Step::works(0, 6, "tmov"), Step::syncs(6, 15, "set_intra_block"), Step::works(15, 21, "tmov")],
        ),
        Lane::of(
            "vector core 0, V",
            &[Step::waits(0, 15), Step::syncs(15, 25, "wait_intra_block"), Step::works(25, 30, "tadd")],
        ),
        Lane::of("vector core 1, V", &[Step::works(0, 6, "tadd"), Step::works(6, 12, "tmul")]),
    ],
    &[edge_with((0, 1), (1, 1), "flag 0")],
)];

pub(super) const BLOCKS: &[Picture] = &[Picture::timeline(
    "between blocks: each block sets the flag, and no wait ends before all blocks have set it",
    &[
        Lane::of(
            "block 0, MTE3",
            &[
                Step::works(0, 5, "tstore"),
                Step::syncs(5, 14, "set_cross_block"),
                Step::waits(14, 20),
                Step::syncs(20, 30, "wait_cross_block"),
            ],
        ),
        Lane::of(
            "block 1, MTE3",
            &[
                Step::works(0, 11, "tstore"),
                Step::syncs(11, 20, "set_cross_block"),
                Step::syncs(20, 30, "wait_cross_block"),
            ],
        ),
        Lane::of(
            "block 2, MTE3",
            &[
                Step::works(0, 7, "tstore"),
                Step::syncs(7, 16, "set_cross_block"),
                Step::waits(16, 20),
                Step::syncs(20, 30, "wait_cross_block"),
            ],
        ),
    ],
    &[edge((1, 1), (0, 3)), edge((1, 1), (2, 3))],
)];

pub(super) const ALL_CORES: &[Picture] = &[Picture::timeline(
    "no core goes on before all cores have arrived",
    &[
        Lane::of(
            "core 0",
            &[
                Step::works(0, 5, "tstore"),
                Step::waits(5, 12),
                Step::syncs(12, 16, "syncall"),
                Step::works(16, 21, "tload"),
            ],
        ),
        Lane::of(
            "core 1",
            &[Step::works(0, 12, "tstore"), Step::syncs(12, 16, "syncall"), Step::works(16, 21, "tload")],
        ),
        Lane::of(
            "core 2",
            &[
                Step::works(0, 8, "tstore"),
                Step::waits(8, 12),
                Step::syncs(12, 16, "syncall"),
                Step::works(16, 21, "tload"),
            ],
        ),
    ],
    &[edge((1, 0), (0, 2)), edge((1, 0), (2, 2))],
)];

pub(super) const TOKENS: &[Picture] = &[Picture::timeline(
    "one buffer, two pipes: V takes the token when MTE2 has given it back",
    &[
        Lane::of(
            "MTE2",
            &[Step::syncs(0, 4, "get_buf"), Step::works(4, 10, "tload %a"), Step::syncs(10, 14, "rls_buf")],
        ),
        Lane::of(
            "V",
            &[
                Step::waits(0, 14),
                Step::syncs(14, 18, "get_buf"),
                Step::works(18, 24, "tadd %a"),
                Step::syncs(24, 28, "rls_buf"),
            ],
        ),
    ],
    &[edge_with((0, 2), (1, 1), "token")],
)];
