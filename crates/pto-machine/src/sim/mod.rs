//! The machine: global memory, cores, on-chip buffers. A program is decoded once, then run.
//!
//! A block is one cube core and two vector cores; its on-chip buffers are one byte array, so tiles at overlapping
//! addresses alias regardless of their types. Blocks run one after the other, or in parallel with the same results.
//! The memory of each block starts as zeros, so results depend only on program and inputs. All ranks have the same
//! arguments with different values, and can access the buffers of other ranks.

mod arguments;
pub mod by_place;
pub mod code;
mod coverage;
mod decode;
pub mod event;
pub(crate) mod flag_file;
pub mod footprint;
pub mod live;
mod machine;
mod measure;
mod observer;
pub mod operands;
pub(crate) mod order;
pub mod part;
mod value;
pub mod view_ranges;

pub use arguments::{Argument, ArgumentKind, Signature};
pub(crate) use code::CoreKind;
pub use code::Program;
pub use decode::DecodeError;
pub use machine::{
    Audit, BufferState, Control, DEFAULT_MAX_STEPS, Options, Outcome, Printed, Schedule, Shown, Value,
};
pub use measure::{measure, measure_ranks};
pub use observer::{Needs, observing::Observe};
pub use observer::{Observer, Unobserved};
pub use pto_isa::exec::global::{MAX_RANKS, rank_base, within_buffer};
pub use pto_isa::exec::state::{DivisionByZero, IndexUnit};
pub use pto_isa::exec::storage::{Lent, Storage};
