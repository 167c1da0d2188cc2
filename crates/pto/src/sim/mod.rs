//! The machine: global memory, cores, tile buffers; decode once, then run.
//!
//! A block is one cube core and two vector cores; its on-chip buffers are one byte array, so tiles at
//! overlapping addresses alias whatever their types. Blocks begin one after the other (or seem to), each on a memory that
//! starts as zeros, so results depend on nothing but program and inputs. Several ranks have the same arguments, each its
//! own, and reach those of the others.

mod arguments;
pub(crate) mod code;
mod decode;
pub(crate) mod event;
pub(crate) mod footprint;
mod machine;
mod measure;
pub(crate) mod operands;
pub(crate) mod strided_range;
mod value;

pub use crate::exec::global::{MAX_RANKS, rank_base};
pub use crate::exec::state::{DivisionByZero, IndexUnit};
pub use crate::observe::{Assumed, Examined, LogEntry, Watched};
pub use arguments::{Argument, ArgumentKind, Signature};
pub(crate) use code::CoreKind;
pub use code::Program;
pub use decode::DecodeError;
pub use machine::{
    Audit, BufferState, DEFAULT_MAX_STEPS, Dump, Options, Outcome, Printed, Schedule, Shown, Value, Writer,
};
pub use measure::{measure, measure_ranks};
