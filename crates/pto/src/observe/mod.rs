//! Observers of a run: each consumes the stream of events and reports its findings at the end.
//!
//! The machine runs instructions in program order. On a device the pipes of a core run independently, except for the order
//! that flags, barriers and queues establish. [`race`] computes this happens-before order with vector clocks, and compares
//! every access to memory with earlier ones to the same bytes. [`sync`] checks flags, [`init`] unwritten bytes, [`mem`] slots
//! of queues and reserved memory; [`log`], [`dump`], [`writer`] and [`coverage`] record.

mod between;
mod by_place;
mod chains;
mod clock;
pub(crate) mod conflict;
mod contents;
mod coverage;
mod dump;
mod examined;
mod init;
mod kept;
pub mod log;
mod mem;
mod named;
mod numbers;
mod pipes;
mod placed;
mod race;
mod races;
mod reliance;
mod reuse;
mod shadow;
mod sync;
#[cfg(test)]
mod tests;
mod timeline;
mod traffic;
mod words;
mod writer;

use crate::analysis::Synchronization;
use crate::diag::{Diagnostic, Severity};
use crate::isa::rules;
use crate::isa::written::Written;
use crate::sim::event::Event;
use crate::sim::{Options, Outcome, Printed, Program, Schedule};
pub(crate) use by_place::ByPlace;
pub use contents::{KeepContents, TileContents};
pub(crate) use coverage::Coverage;
pub use examined::{Assumed, Examined};
pub(crate) use traffic::{Accessor, Sides, Traffic};
pub(crate) use words::span_of;

/// The enabled watchers, and the log: `Watched::NONE.race(true).sync(true)`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Watched {
    /// Unordered conflicting accesses.
    pub race: bool,
    /// Flags that are never set, set twice, or left set.
    pub sync: bool,
    /// Reads of unwritten bytes. Memory then starts with all bits one, which is NaN in every float format, instead of
    /// zeros.
    pub init: bool,
    /// Stores through views whose elements overlap, tiles in the window of UB that is reserved for instructions, tiles that
    /// are used after their slot of a queue was freed, tiles that another tile overwrites before they are read.
    pub mem: bool,
    /// A log of every tile instruction, with hashes of the written bytes, and of every operation that orders them.
    pub log: bool,
}

/// Setters, one for each field.
macro_rules! setters {
    ($($field:ident)*) => {
        $(
            #[doc = concat!("With `", stringify!($field), "` enabled or disabled.")]
            #[must_use]
            pub const fn $field(self, enabled: bool) -> Watched {
                Watched { $field: enabled, ..self }
            }
        )*
    };
}

impl Watched {
    /// No watcher and no log.
    pub const NONE: Watched = Watched { race: false, sync: false, init: false, mem: false, log: false };

    setters!(race sync init mem log);

    /// Whether any watcher or the log is enabled.
    pub fn any(self) -> bool {
        self.race || self.sync || self.init || self.mem || self.log
    }
}

/// What an observer needs that takes time to find out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Needs {
    /// The accesses of instructions.
    accesses: bool,
    /// When instructions begin and end; else it sees their issue alone, and the end of those that use signals.
    ends: bool,
}

/// A consumer of the events of a run.
pub(crate) trait Observer: Send {
    /// What it needs.
    fn needs(&self) -> Needs;

    /// Handles an event. Text goes to `printed`, in the order of the run.
    fn see(&mut self, program: &Program, event: &Event<'_>, printed: &mut Vec<Printed>);

    /// Adds its findings to the outcome.
    fn finish(self: Box<Self>, program: &Program, outcome: &mut Outcome);
}

/// The observers of a run, in the order in which their findings are reported.
#[derive(Default)]
pub(crate) struct Observers {
    list: Vec<Box<dyn Observer>>,
    /// What one of them needs.
    needs: Needs,
    /// Assumption of the watchers of order.
    assumed: Option<Assumed>,
}

impl Observers {
    /// The observers that the options of a launch request.
    pub(crate) fn of(program: &Program, options: &Options) -> Observers {
        Observers::starting_with(program, options, init::Init::default())
    }

    /// The observers of a launch in a sequence: with what earlier launches have written to each of its buffers, in the order
    /// of its arguments, `None` for buffers without unwritten bytes. The accesses to global memory will be in the
    /// [`Outcome`].
    pub(crate) fn in_sequence(
        program: &Program,
        options: &Options,
        known: impl Iterator<Item = Option<Written>>,
    ) -> Observers {
        let known = known.enumerate().filter_map(|(buffer, written)| Some((buffer as u32, written?)));
        let Observers { mut list, assumed, .. } =
            Observers::starting_with(program, options, init::Init::starting_with(known));
        if options.watched.race || options.watched.init {
            list.push(Box::new(Traffic::default()));
        }
        Observers::new(list, assumed)
    }

    fn new(list: Vec<Box<dyn Observer>>, assumed: Option<Assumed>) -> Observers {
        let needs = list.iter().map(|observer| observer.needs()).fold(Needs::default(), |all, one| Needs {
            accesses: all.accesses || one.accesses,
            ends: all.ends || one.ends,
        });
        Observers { list, needs, assumed }
    }

    fn starting_with(program: &Program, options: &Options, initial: init::Init) -> Observers {
        let Watched { race, sync, init, mem, log } = options.watched;
        let mut list: Vec<Box<dyn Observer>> = Vec::new();
        let mut assumed = None;
        if race || sync {
            let order = order_of(program, options.sync_inserted);
            let chains = options.assume_v_chains.then(|| chains::Chains::of(program));
            list.push(Box::new(race::Race::new(order, options.watched, chains)));
            assumed = order.assumed(options.sync_inserted);
        }
        if sync {
            list.push(Box::new(sync::Sync::default()));
        }
        if mem {
            list.push(Box::new(mem::Mem::new(options.schedule == Schedule::Program)));
        }
        if init {
            list.push(Box::new(initial));
        }
        if log {
            list.push(Box::new(log::Recorder::of_log()));
        }
        if !options.capture.is_empty() {
            list.push(Box::new(log::Recorder::of_contents(&options.capture)));
        }
        if !options.dumps.is_empty() {
            list.push(Box::new(dump::Dumper::new(&options.dumps)));
        }
        if !options.snapshots.is_empty() {
            list.push(Box::new(dump::Snapshots::new(&options.snapshots)));
        }
        if let Some(keep) = options.contents {
            list.push(Box::new(contents::Keeper::new(keep)));
        }
        if let Some((buffer, byte)) = options.trace {
            list.push(Box::new(writer::Tracer::new(buffer, byte)));
        }
        if let Some(most) = options.timeline {
            list.push(Box::new(timeline::Recorder::new(most)));
        }
        Observers::new(list, assumed)
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether one of them needs the accesses of instructions.
    pub(crate) fn need_accesses(&self) -> bool {
        self.needs.accesses
    }

    /// Whether one of them needs to know when instructions begin and end.
    pub(crate) fn need_ends(&self) -> bool {
        self.needs.ends
    }

    /// Sends an event to all observers.
    pub(crate) fn see(&mut self, program: &Program, event: &Event<'_>, printed: &mut Vec<Printed>) {
        for observer in &mut self.list {
            observer.see(program, event, printed);
        }
    }

    /// Adds the findings of all observers to the outcome: errors first, at most `most` of them, then lints.
    pub(crate) fn finish(self, program: &Program, most: usize, outcome: &mut Outcome) {
        outcome.examined.assumed = self.assumed;
        for observer in self.list {
            observer.finish(program, outcome);
        }
        let findings = std::mem::take(&mut outcome.findings);
        let (mut wrong, lints): (Vec<_>, Vec<_>) =
            findings.into_iter().partition(|finding| finding.severity == Severity::Error);
        let found = wrong.len();
        if found > most {
            wrong.truncate(most);
            let message = format!("{} more findings are not shown", found - most);
            wrong.push(Diagnostic::new(Severity::Error, &rules::run::MORE, message));
        }
        wrong.extend(lints);
        outcome.findings = wrong;
    }
}

/// The order of instructions within a core that a watcher uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// The order of the program's flags and barriers.
    Flags,
    /// Program order: the program has no addresses, or synchronization is declared to be inserted later.
    Program,
    /// None: the program has addresses but no synchronization.
    Nothing,
}

/// Whether program order holds within a core: the program has no addresses, or its synchronization is inserted later.
pub(crate) fn keeps_program_order(program: &Program, inserted: bool) -> bool {
    order_of(program, inserted) == Order::Program
}

/// The order of instructions within a core of a program.
fn order_of(program: &Program, inserted: bool) -> Order {
    match Synchronization::of(program.module(), program.functions()) {
        _ if inserted => Order::Program,
        Synchronization::Explicit => Order::Flags,
        Synchronization::Missing => Order::Nothing,
        Synchronization::Automatic => Order::Program,
    }
}
