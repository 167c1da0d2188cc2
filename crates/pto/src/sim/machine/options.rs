//! Options of a launch.

use super::{Control, Schedule};
use crate::exec::state::{DivisionByZero, IndexUnit};
use crate::observe::{KeepContents, Watched};

/// Options of a launch.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Blocks per rank. A block begins when the previous one has ended or waits for another block.
    pub blocks: u32,
    /// Most host threads that run independent blocks in parallel; 0 for one per host core. Results do not depend on it.
    pub threads: usize,
    /// Most steps of a block; a block that exceeds them stops with an error.
    pub max_steps: u64,
    /// Tiles to print after each run of an operation.
    pub dumps: Vec<Dump>,
    /// Tiles whose contents are kept after each run of an operation, in [`Outcome::snapshots`](super::Outcome::snapshots).
    pub snapshots: Vec<Dump>,
    /// Run every instruction by its formula instead of its fast path.
    pub by_formula: bool,
    /// Find the last tile instruction that writes this byte of this buffer, counted among buffer arguments.
    pub trace: Option<(usize, u64)>,
    /// Numbers of entries of the log whose written contents are captured. Numbers are those of a run with the same program,
    /// arguments and schedule.
    pub capture: Vec<u64>,
    /// The enabled watchers.
    pub watched: Watched,
    /// The order in which pipes execute issued instructions.
    pub schedule: Schedule,
    /// Seed of the random and adversarial schedules.
    pub seed: u64,
    /// Buffers, by rank and argument, that count as unwritten at the start.
    pub blank: Vec<(u32, usize)>,
    /// Unwritten memory, that of tiles and of the buffers in `blank`, starts as bytes of all ones: NaN in each float format,
    /// -1 as a signed integer. The watcher `init` implies it.
    pub poison: bool,
    /// Watchers assume program order within a core, since synchronization is inserted later.
    pub sync_inserted: bool,
    /// On A2/A3, an instruction of V that reads exactly what an elementwise one has written needs no barrier between them:
    /// watchers treat the two as ordered.
    pub assume_v_chains: bool,
    /// Most watcher findings that are reported.
    pub max_reports: usize,
    /// Check each instruction against its declared effects, with this seed for the bytes to change: see [`Audit`](super::Audit).
    pub audit: Option<u64>,
    /// Unit of the indices of TCONCAT; if `None`, bytes, with a lint if columns would give another result.
    pub tconcat_index: Option<IndexUnit>,
    /// Behavior of tile instructions on integer division by zero; scalar code always stops.
    pub on_division_by_zero: DivisionByZero,
    /// Record what the cores issue, at most this many steps, in [`Outcome::recording`](super::Outcome::recording): for
    /// [`pto::timeline`](crate::timeline).
    pub timeline: Option<usize>,
    /// Keep what instructions write to tiles, in [`Outcome::contents`](super::Outcome::contents).
    pub contents: Option<KeepContents>,
    /// A view of the launch from other threads.
    pub control: Option<std::sync::Arc<Control>>,
}

/// Default of the most steps of a block: far more than any public kernel takes.
pub const DEFAULT_MAX_STEPS: u64 = 10_000_000_000;

/// Setters by the names of the fields.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty;)*) => {
        impl Options {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(self, $name: $type) -> Self {
                    Options { $name, ..self }
                }
            )*
        }
    };
}

setters!(
    /// Sets [`blocks`](Options#structfield.blocks).
    blocks: u32;
    /// Sets [`threads`](Options#structfield.threads).
    threads: usize;
    /// Sets [`max_steps`](Options#structfield.max_steps).
    max_steps: u64;
    /// Sets [`dumps`](Options#structfield.dumps).
    dumps: Vec<Dump>;
    /// Sets [`snapshots`](Options#structfield.snapshots).
    snapshots: Vec<Dump>;
    /// Sets [`by_formula`](Options#structfield.by_formula).
    by_formula: bool;
    /// Sets [`trace`](Options#structfield.trace).
    trace: Option<(usize, u64)>;
    /// Sets [`capture`](Options#structfield.capture).
    capture: Vec<u64>;
    /// Sets [`watched`](Options#structfield.watched).
    watched: Watched;
    /// Sets [`schedule`](Options#structfield.schedule).
    schedule: Schedule;
    /// Sets [`seed`](Options#structfield.seed).
    seed: u64;
    /// Sets [`blank`](Options#structfield.blank).
    blank: Vec<(u32, usize)>;
    /// Sets [`poison`](Options#structfield.poison).
    poison: bool;
    /// Sets [`sync_inserted`](Options#structfield.sync_inserted).
    sync_inserted: bool;
    /// Sets [`assume_v_chains`](Options#structfield.assume_v_chains).
    assume_v_chains: bool;
    /// Sets [`max_reports`](Options#structfield.max_reports).
    max_reports: usize;
    /// Sets [`audit`](Options#structfield.audit).
    audit: Option<u64>;
    /// Sets [`tconcat_index`](Options#structfield.tconcat_index).
    tconcat_index: Option<IndexUnit>;
    /// Sets [`on_division_by_zero`](Options#structfield.on_division_by_zero).
    on_division_by_zero: DivisionByZero;
    /// Sets [`timeline`](Options#structfield.timeline).
    timeline: Option<usize>;
    /// Sets [`contents`](Options#structfield.contents).
    contents: Option<KeepContents>;
    /// Sets [`control`](Options#structfield.control).
    control: Option<std::sync::Arc<Control>>;
);

impl Default for Options {
    fn default() -> Self {
        Options {
            blocks: 1,
            threads: 0,
            max_steps: DEFAULT_MAX_STEPS,
            dumps: Vec::new(),
            snapshots: Vec::new(),
            by_formula: false,
            trace: None,
            capture: Vec::new(),
            watched: Watched::default(),
            schedule: Schedule::Program,
            seed: 0,
            blank: Vec::new(),
            poison: false,
            sync_inserted: false,
            assume_v_chains: false,
            max_reports: 20,
            audit: None,
            tconcat_index: None,
            on_division_by_zero: DivisionByZero::Stop,
            timeline: None,
            contents: None,
            control: None,
        }
    }
}

/// A tile to print after each run of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// The tile's name without `%`.
    pub tile: String,
    /// The operation: any that starts between these bytes of the source.
    pub from: u32,
    /// End of that range.
    pub to: u32,
}
