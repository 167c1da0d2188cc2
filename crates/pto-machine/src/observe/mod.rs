//! Observers of a launch: each consumes the stream of events, belongs to the caller, and has a result of its own.
//!
//! The machine runs instructions in program order. On a device the pipes of a core run independently, except for the order
//! that flags, barriers and queues establish. `race` computes this happens-before order with vector clocks, and compares
//! every access to memory with earlier ones to the same bytes. `sync` checks flags, `memory` unwritten bytes, slots of
//! queues and values that are overwritten; together they are [`Watch`]. `record` and [`log`] keep what happened. `words` has the
//! messages of findings and their edits.

pub mod conflict;
mod coverage;
pub mod log;
pub mod memory;
mod race;
mod record;
mod sync;
mod watch;
pub mod words;

pub use conflict::ConflictBytes;
pub use coverage::{Assumed, Examined};
pub use pto_isa::watcher::{Watcher, Watchers};
pub use record::contents::{Contents, KeepContents, TileContents};
pub use record::dump::{Dump, Dumper, MOST_SNAPSHOTS, Snapshot, Snapshots};
pub use record::traffic::{Accessor, Sides, Traffic};
pub use record::writer::{Tracer, Writer};
pub use watch::{Watch, WatchOptions, Watched, watch};
pub use words::operand::Operand;
pub use words::{operation_at, span_of, tile_type_at};
