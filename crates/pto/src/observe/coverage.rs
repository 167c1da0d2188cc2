//! Number of runs of each operation.

use super::{Needs, Observer};
use crate::sim::event::{Event, Place, What};
use crate::sim::{Outcome, Printed, Program};

/// Number of runs as an instruction, for each function of a program and each of its operations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Coverage {
    counts: Vec<Vec<u64>>,
    /// Instructions that ran.
    total: u64,
}

impl Coverage {
    /// No operation has run.
    pub(crate) fn of(program: &Program) -> Coverage {
        let functions = program.functions().map(|id| &program.module().functions[id]);
        let counts = functions.map(|function| vec![0; function.operations.len()]).collect();
        Coverage { counts, total: 0 }
    }

    /// Counts a run of an operation. Without other observers the machine calls this directly, without an event.
    #[inline(always)]
    pub(crate) fn count(&mut self, at: Place) {
        self.total += 1;
        self.counts[at.function as usize][at.operation as usize] += 1;
    }

    /// Number of runs of an operation.
    pub(crate) fn runs(&self, at: Place) -> u64 {
        self.counts[at.function as usize][at.operation as usize]
    }

    /// Instructions that ran.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Adds the counts of another part of the same run.
    pub(crate) fn join(&mut self, other: &Coverage) {
        self.total += other.total;
        let counts = self.counts.iter_mut().flatten().zip(other.counts.iter().flatten());
        counts.for_each(|(sum, count)| *sum += count);
    }
}

impl Observer for Coverage {
    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn see(&mut self, _: &Program, event: &Event<'_>, _: &mut Vec<Printed>) {
        if let What::Issue(_) = event.what {
            self.count(event.at);
        }
    }

    fn finish(self: Box<Self>, _: &Program, outcome: &mut Outcome) {
        (outcome.executed, outcome.instructions) = (self.counts, self.total);
    }
}
