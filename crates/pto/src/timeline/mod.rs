//! Timeline: start and end of each instruction of a launch on a device.
//!
//! [`record()`] runs a launch with a [`Recorder`], an observer that records the instructions that the cores issue, as a
//! [`Recording`]. [`time`] runs the recording on a [`Device`](pto_isa::device::Device): each pipe runs its instructions
//! in order and in parallel with other pipes; pipes wait for flags, barriers, tokens, queues and signals, and share the
//! memory below the L2 cache; blocks are dealt to the cores. The result is a [`Timing`].
//!
//! 1. `recording.rs`: the steps of each core, without times.
//! 2. `engine.rs`, `lane.rs`: the simulation of discrete events; `memory.rs`: transfers that share rates, and the L2
//!    cache; `history.rs`: the executed instructions.
//! 3. `timing.rs`: the result, with the critical path (`critical.rs`) and the queues between cores (`queues.rs`).
//! 4. `conflict.rs`: races and overwritten tiles that watchers found, on the timeline.
//! 5. `occupancy.rs`, with `accesses.rs` and `live.rs`: times and addresses at which tiles hold values.
//!
//! Times are in cycles of the device's clock. They depend on the recording and the device alone.

mod accesses;
mod chain;
mod conflict;
mod critical;
mod engine;
mod history;
mod lane;
mod live;
mod memory;
mod occupancy;
mod queues;
mod record;
pub(crate) mod recording;
mod stalls;
mod timing;

pub use chain::Chain;
pub use conflict::{Conflict, ConflictAccess};
pub use engine::time;
pub use history::Detail;
pub use occupancy::{BufferOccupancy, LiveBytes, LiveRange, MOST_LIVES, Overlap, TileOccupancy, occupancy};
pub use pto_machine::observe::ConflictBytes;
pub use queues::QueueLevel;
pub use record::{LaunchObserver, Observed, RecordOptions, Recorder, record};
pub use recording::{Recording, Source, Translate};
pub use timing::{
    Bound, CoreTime, LineTime, PathPart, PipeTime, Roofline, Span as TimeSpan, Stall, Timing, Traffic,
};
