//! Options of a launch.

use super::{Control, Schedule};
use pto_isa::exec::state::{DivisionByZero, IndexUnit};

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
    /// Most seconds of a launch, which is stopped with an error at its next poll after them.
    pub max_seconds: Option<f64>,
    /// Run every instruction by its formula instead of its fast path.
    pub by_formula: bool,
    /// The order in which pipes execute issued instructions.
    pub schedule: Schedule,
    /// Seed of the random and adversarial schedules.
    pub seed: u64,
    /// Buffers, by rank and argument, that count as unwritten at the start.
    pub blank: Vec<(u32, usize)>,
    /// Unwritten memory, that of tiles and of the buffers in `blank`, starts as bytes of `pattern`. An observer may need it, too.
    pub poison: bool,
    /// The byte that `poison` repeats. By default all ones: NaN in each float format, -1 as a signed integer.
    pub pattern: u8,
    /// Watchers assume program order within a core, since synchronization is inserted later.
    pub sync_inserted: bool,
    /// Check each instruction against its declared effects, with this seed for the bytes to change: see [`Audit`](super::Audit).
    pub audit: Option<u64>,
    /// Unit of the indices of TCONCAT; if `None`, bytes, with a lint if columns would give another result.
    pub tconcat_index: Option<IndexUnit>,
    /// Behavior of tile instructions on integer division by zero; scalar code always stops.
    pub on_division_by_zero: DivisionByZero,
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
    /// Sets [`max_seconds`](Options#structfield.max_seconds).
    max_seconds: Option<f64>;
    /// Sets [`by_formula`](Options#structfield.by_formula).
    by_formula: bool;
    /// Sets [`schedule`](Options#structfield.schedule).
    schedule: Schedule;
    /// Sets [`seed`](Options#structfield.seed).
    seed: u64;
    /// Sets [`blank`](Options#structfield.blank).
    blank: Vec<(u32, usize)>;
    /// Sets [`poison`](Options#structfield.poison).
    poison: bool;
    /// Sets [`pattern`](Options#structfield.pattern).
    pattern: u8;
    /// Sets [`sync_inserted`](Options#structfield.sync_inserted).
    sync_inserted: bool;
    /// Sets [`audit`](Options#structfield.audit).
    audit: Option<u64>;
    /// Sets [`tconcat_index`](Options#structfield.tconcat_index).
    tconcat_index: Option<IndexUnit>;
    /// Sets [`on_division_by_zero`](Options#structfield.on_division_by_zero).
    on_division_by_zero: DivisionByZero;
    /// Sets [`control`](Options#structfield.control).
    control: Option<std::sync::Arc<Control>>;
);

impl Default for Options {
    fn default() -> Self {
        Options {
            blocks: 1,
            threads: 0,
            max_steps: DEFAULT_MAX_STEPS,
            max_seconds: None,
            by_formula: false,
            schedule: Schedule::Program,
            seed: 0,
            blank: Vec::new(),
            poison: false,
            pattern: 0xff,
            sync_inserted: false,
            audit: None,
            tconcat_index: None,
            on_division_by_zero: DivisionByZero::Stop,
            control: None,
        }
    }
}
