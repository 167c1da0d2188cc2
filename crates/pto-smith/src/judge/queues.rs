//! The pipes of queues, from the manual and the vendor's headers. Nothing here is read from the pages of the toolchain: a
//! belief that both shared would hide from a comparison of the two.
//!
//! | source | statement |
//! |---|---|
//! | `include/pto/npu/a2a3/TPush.hpp`, `Producer::allocate` | waits for a free slot by `wait_flag_dev`, on the scalar unit |
//! | the same, `Producer::record` | signals an entry of the cube core by `ffts_cross_core_sync` of FIX |
//! | the same, `Consumer::wait` | waits for an entry by `wait_flag_dev`, on the scalar unit |
//! | the same, `popVecTileFromGMFiFo` | ends in `TLOAD`: MTE2 writes the popped tile |
//! | the same, `Consumer::free`; `TPop.hpp`, `TPOP_IMPL` | the pop of a tile itself signals the free slot, on MTE2 |
//! | `a2a3/TFree.hpp`; `docs/isa/TFREE.md` | `tfree` of a tile does nothing |
//! | `include/pto/npu/a5/TPush.hpp`, `allocate`, `record` | the cube core waits and signals on FIX |
//! | the same, `wait`, `is_c2v_gm`, `is_c2v_ub` | a vector core waits on MTE2 for an entry in memory, on V for one on chip |
//! | the same, `pop` | an entry in memory is loaded by `TLOAD`, one on chip is only named; only the former is given back by the pop |
//! | the same, `free`, `is_c2v_gm`, `is_c2v_ub`; `TFree.hpp` | a free slot is signalled on MTE2 in memory, on V on chip |

use super::facts::Pipe;
use pto::Profile;

/// Memory of the slots of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slots {
    /// In global memory: entries are loaded.
    InMemory,
    /// In the buffer of the consumer: entries are used in place.
    OnChip,
}

/// The pipes of a queue from the cube core to the vector cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QueuePipes {
    /// Waits for a free slot.
    pub allocates: Pipe,
    /// Reads the pushed tile, writes a slot on chip, and signals the entry.
    pub pushes: Pipe,
    /// Waits for an entry.
    pub pops: Pipe,
    /// Loads a popped tile, if entries are loaded. The pop then gives the slot back.
    pub loads: Option<Pipe>,
    /// Signals a free slot.
    pub frees: Pipe,
}

/// The pipes on a device.
pub(super) fn pipes(profile: Profile, slots: Slots) -> QueuePipes {
    match (profile, slots) {
        (Profile::A2A3, _) => QueuePipes {
            allocates: Pipe::S,
            pushes: Pipe::Fix,
            pops: Pipe::S,
            loads: Some(Pipe::Mte2),
            frees: Pipe::Mte2,
        },
        (_, Slots::InMemory) => QueuePipes {
            allocates: Pipe::Fix,
            pushes: Pipe::Fix,
            pops: Pipe::Mte2,
            loads: Some(Pipe::Mte2),
            frees: Pipe::Mte2,
        },
        (_, Slots::OnChip) => {
            QueuePipes { allocates: Pipe::Fix, pushes: Pipe::Fix, pops: Pipe::V, loads: None, frees: Pipe::V }
        }
    }
}
