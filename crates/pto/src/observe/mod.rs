//! Observers of a run: each sees the stream of events and nothing else, and says at the end what it found.
//!
//! The machine runs instructions in program order. A device does not: each pipe of a core goes its own way until a flag,
//! a barrier or a queue holds it. [`race`] keeps, beside the run, what each pipe knows to be done (vector clocks), and
//! compares every access to memory with earlier ones to the same bytes. [`sync`] follows flags, [`init`] what was written,
//! [`mem`] slots of queues and reserved memory; [`log`], [`dump`], [`writer`] and [`coverage`] record.

mod between;
mod chains;
mod clock;
mod coverage;
mod dump;
mod examined;
mod init;
mod log;
mod mem;
mod pipes;
mod race;
mod races;
mod reliance;
mod reuse;
mod shadow;
mod sync;
#[cfg(test)]
mod tests;
mod words;
mod writer;
mod written;

use crate::diag::{Diagnostic, Severity};
use crate::isa::meaning::Meaning;
use crate::isa::rules;
use crate::sim::event::Event;
use crate::sim::{Options, Outcome, Printed, Program};
pub(crate) use coverage::Coverage;
pub use examined::{Assumed, Examined};
pub use log::LogEntry;

/// What to watch for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// Accesses that nothing orders.
    pub race: bool,
    /// Flags: waited for and never set, set twice, left set.
    pub sync: bool,
    /// Bytes that are read and that nothing has written. Memory then starts as bytes of all ones, which are NaN in every
    /// format of floats, instead of zeros.
    pub init: bool,
    /// Stores through views that overlap themselves, tiles in the window that instructions keep for themselves, tiles that
    /// are used after their slot of a queue was given back, tiles whose place another tile has taken before they are read.
    pub mem: bool,
    /// Every tile instruction, with a hash of what it wrote.
    pub log: bool,
}

impl Watched {
    /// Whether anything is watched.
    pub fn any(self) -> bool {
        self.race || self.sync || self.init || self.mem || self.log
    }
}

/// One that sees what happens in a run.
pub(crate) trait Observer: Send {
    /// Sees an event. What it prints goes to `printed`, in the order of the run.
    fn see(&mut self, program: &Program, event: &Event<'_>, printed: &mut Vec<Printed>);

    /// Leaves what it found in the outcome.
    fn finish(self: Box<Self>, program: &Program, outcome: &mut Outcome);
}

/// The observers of a run, in the order in which their findings are reported.
#[derive(Default)]
pub(crate) struct Observers {
    list: Vec<Box<dyn Observer>>,
    /// Whether one of them looks at what instructions touch.
    touched: bool,
    /// What those that look at order take for granted.
    assumed: Option<Assumed>,
}

impl Observers {
    /// Those that a launch asks for.
    pub(crate) fn of(program: &Program, options: &Options) -> Observers {
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
            list.push(Box::new(mem::Mem::default()));
        }
        if init {
            list.push(Box::new(init::Init::default()));
        }
        if log {
            list.push(Box::new(log::Log::default()));
        }
        if !options.dumps.is_empty() {
            list.push(Box::new(dump::Dumper::new(&options.dumps)));
        }
        if let Some((buffer, byte)) = options.trace {
            list.push(Box::new(writer::Tracer::new(buffer, byte)));
        }
        let touched = race || init || mem || log || options.trace.is_some();
        Observers { list, touched, assumed }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether one of them looks at what instructions touch.
    pub(crate) fn look_at_memory(&self) -> bool {
        self.touched
    }

    /// Tells all of an event.
    pub(crate) fn see(&mut self, program: &Program, event: &Event<'_>, printed: &mut Vec<Printed>) {
        for observer in &mut self.list {
            observer.see(program, event, printed);
        }
    }

    /// Leaves in the outcome what all found: what is wrong first, at most `most` of it, lints last.
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

/// How a program orders the instructions of one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// By its own flags and barriers.
    Flags,
    /// As it is written: there are no addresses, or synchronization is declared to be inserted later.
    Program,
    /// There are addresses, and nothing orders what uses them.
    Nothing,
}

/// Whether the instructions of a core are done as they are written: where the program has no addresses, or its
/// synchronization is inserted later.
pub(crate) fn keeps_program_order(program: &Program, inserted: bool) -> bool {
    order_of(program, inserted) == Order::Program
}

/// How a program orders the instructions of a core.
fn order_of(program: &Program, inserted: bool) -> Order {
    let mut operations = program.functions().flat_map(|id| {
        let function = &program.module().functions[id];
        function.operations.iter().map(|(_, operation)| operation)
    });
    let (mut addresses, mut orders) = (false, false);
    for operation in &mut operations {
        addresses |= operation.operand("addr").is_some();
        orders |= Meaning::orders_pipes(operation.meaning());
    }
    match (inserted, orders, addresses) {
        (true, ..) => Order::Program,
        (_, true, _) => Order::Flags,
        (_, false, true) => Order::Nothing,
        (_, false, false) => Order::Program,
    }
}
