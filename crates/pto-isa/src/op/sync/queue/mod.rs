//! Queues between the cube core and the vector cores: their slots, their ends, and transfers of entries.

mod ends;
mod entries;
mod import_reserved_buffer;
mod pictures;
mod pipes;
mod reserve_buffer;
mod transfers;

use super::super::tables::list;
pub use ends::usual_slots;
pub use pipes::{EntryPipes, QueueFact, Slots, pushes_that_wait};

/// The rules that need all operations of a function; `check::queues` checks them.
pub mod rules {
    pub use super::ends::{FLAGS, ONE_QUEUE, UNIQUE as UNIQUE_END};
    pub use super::entries::{NOSPLIT, ODD};
    pub use super::import_reserved_buffer::UNIQUE as UNIQUE_IMPORT;
    pub use super::reserve_buffer::UNIQUE as UNIQUE_BUFFER;
}

list!(
    super::END;
    ends::AIC_INITIALIZE_PIPE,
    ends::AIV_INITIALIZE_PIPE,
    import_reserved_buffer::IMPORT_RESERVED_BUFFER,
    ends::INITIALIZE_L2G2L_PIPE,
    ends::INITIALIZE_L2L_PIPE,
    reserve_buffer::RESERVE_BUFFER,
    transfers::TALLOC,
    transfers::TALLOC_TO_AIC,
    transfers::TALLOC_TO_AIV,
    transfers::TFREE,
    transfers::TFREE_FROM_AIC,
    transfers::TFREE_FROM_AIV,
    transfers::TPOP,
    transfers::TPOP_FROM_AIC,
    transfers::TPOP_FROM_AIV,
    transfers::TPUSH,
    transfers::TPUSH_TO_AIC,
    transfers::TPUSH_TO_AIV,
);
