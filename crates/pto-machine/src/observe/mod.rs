//! Observers of a launch: each consumes the stream of events, belongs to the caller, and has a result of its own.
//!
//! The machine runs instructions in program order. On a device the pipes of a core run independently, except for the
//! order that flags, barriers and queues establish. `race` computes this happens-before order with vector clocks, and
//! compares every access to memory with earlier ones to the same bytes. `sync` checks flags, `memory` unwritten
//! bytes, slots of queues and values that are overwritten; together they are [`Watch`]. `record` and [`log`] record
//! the launch. `words` has the messages of findings and their edits.

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
pub use record::writer::{Tracer, Writer, Writes};
pub use watch::{Watch, WatchOptions, Watched, is_found, limited, watch};
pub use words::operand::Operand;
pub use words::{operation_at, span_of, tile_type_at};

use crate::sim::order::Order;
use crate::sim::{Options, Program, Schedule};
use memory::Mem;
use memory::init::Init;
use race::Race;
use race::chains::Chains;
use watch::Watching;

/// The watchers of a launch in the order of their findings, with their assumptions. `initial`: bytes that earlier
/// launches wrote.
fn watchers(
    program: &Program,
    watch: &WatchOptions,
    options: &Options,
    initial: Init,
    examined: &mut Examined,
) -> Vec<Box<dyn Watching>> {
    let has = |watcher: Watcher| watch.watchers.has(watcher);
    let mut list: Vec<Box<dyn Watching>> = Vec::new();
    if has(Watcher::Race) || has(Watcher::Sync) {
        let order = match Order::of(program, options.sync_inserted) {
            Order::Program if watch.as_written && !options.sync_inserted => Order::Flags,
            order => order,
        };
        let chains = watch.assume_v_chains.then(|| Chains::of(program));
        list.push(Box::new(Race::new(order, watch.watchers, chains)));
        examined.assumed = Assumed::of(order, options.sync_inserted);
    }
    if has(Watcher::Sync) {
        list.push(Box::new(sync::Sync::default()));
    }
    if has(Watcher::Mem) {
        list.push(Box::new(Mem::new(options.schedule == Schedule::Program)));
    }
    if has(Watcher::Init) {
        list.push(Box::new(initial));
    }
    list
}
