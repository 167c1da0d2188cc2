//! Observers of a launch: each consumes the stream of events, belongs to the caller, and has a result of its own.
//!
//! The machine runs instructions in program order. On a device the pipes of a core run independently, except for the order
//! that flags, barriers and queues establish. `race` computes this happens-before order with vector clocks, and compares
//! every access to memory with earlier ones to the same bytes. `sync` checks flags, `init` unwritten bytes, `mem` slots of
//! queues and reserved memory; together they are [`Watch`]. The others record: [`log`], [`Dumper`], [`Snapshots`],
//! [`Contents`], [`Tracer`].

mod between;
mod chains;
mod clock;
pub(crate) mod conflict;
mod contents;
mod dump;
mod examined;
mod init;
mod kept;
pub mod log;
mod mem;
mod named;
mod pipes;
mod race;
mod races;
mod reliance;
mod reuse;
mod shadow;
mod sync;
#[cfg(test)]
mod tests;
mod traffic;
mod watch;
mod words;
mod writer;

pub use crate::isa::watcher::{Watcher, Watchers};
pub use conflict::ConflictBytes;
pub use contents::{Contents, KeepContents, TileContents};
pub use dump::{Dump, Dumper, MOST_SNAPSHOTS, Snapshot, Snapshots};
pub use examined::{Assumed, Examined};
pub(crate) use named::Operand;
pub(crate) use traffic::{Accessor, Sides, Traffic};
pub use watch::{Watch, WatchOptions, Watched, watch};
pub(crate) use words::{operation_at, span_of, tile_type_at};
pub use writer::{Tracer, Writer};
