//! Number of runs of each operation.

use super::event::Place;
use super::{Outcome, Program};
use pto_isa::meaning::Meaning;
use pto_lang::ir::OperationId;

/// Number of runs, for each function of a program and each of its operations that [is counted](is_counted).
#[derive(Clone, Debug, Default)]
pub(crate) struct Coverage {
    counts: Vec<Vec<u64>>,
    /// Tile instructions that ran.
    total: u64,
}

impl Coverage {
    /// A coverage in which no operation has run.
    pub(crate) fn of(program: &Program) -> Coverage {
        let functions = program.functions().map(|id| &program.module().functions[id]);
        let counts = functions.map(|function| vec![0; function.operations.len()]).collect();
        Coverage { counts, total: 0 }
    }

    /// Adds the functions that the program has got since.
    pub(crate) fn grow(&mut self, program: &Program) {
        let functions = program.functions().map(|id| &program.module().functions[id]).skip(self.counts.len());
        self.counts.extend(functions.map(|function| vec![0; function.operations.len()]));
    }

    /// Counts a run of an operation.
    #[inline(always)]
    pub(crate) fn count(&mut self, at: Place) {
        self.total += 1;
        self.counts[at.function as usize][at.operation as usize] += 1;
    }

    /// Counts a run of an operation that orders or signals.
    #[inline(always)]
    pub(crate) fn count_order(&mut self, at: Place) {
        self.counts[at.function as usize][at.operation as usize] += 1;
    }

    /// Number of runs of an operation.
    pub(crate) fn runs(&self, at: Place) -> u64 {
        self.counts[at.function as usize][at.operation as usize]
    }

    /// Tile instructions that ran.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// Adds the counts of another part of the same run.
    pub(crate) fn join(&mut self, other: &Coverage) {
        self.total += other.total;
        let counts = self.counts.iter_mut().flatten().zip(other.counts.iter().flatten());
        counts.for_each(|(sum, count)| *sum += count);
    }

    /// Adds the counts to the results of a launch.
    pub(crate) fn finish(self, outcome: &mut Outcome) {
        (outcome.executed, outcome.instructions) = (self.counts, self.total);
    }
}

/// Whether the executions of an operation are counted: those of tile instructions, and of operations that order pipes
/// and cores.
fn is_counted(meaning: Meaning) -> bool {
    meaning.orders_pipes()
        || matches!(
            meaning,
            Meaning::Compute | Meaning::CoreFlag { .. } | Meaning::Meet | Meaning::Entry { .. }
        )
}

impl Program {
    /// The operations whose runs [`Outcome::executed`] counts: the number of the function in [`Program::functions`], and the
    /// operation.
    pub fn instructions(&self) -> impl Iterator<Item = (usize, OperationId)> {
        self.functions().enumerate().flat_map(|(at, id)| {
            let operations = self.module().functions[id].operations.iter();
            operations.filter(|(_, it)| is_counted(it.meaning())).map(move |(id, _)| (at, id))
        })
    }
}

impl Outcome {
    /// Number of tile instructions of a program that never ran, and of all.
    pub fn never_ran(&self, program: &Program) -> (usize, usize) {
        let functions = program.functions().map(|id| &program.module().functions[id]);
        let (mut never, mut all) = (0, 0);
        for (function, executed) in functions.zip(&self.executed) {
            let instructions = function.operations.iter().filter(|(_, it)| it.meaning() == Meaning::Compute);
            for (id, _) in instructions {
                all += 1;
                never += usize::from(executed.get(id.index()).is_none_or(|count| *count == 0));
            }
        }
        (never, all)
    }
}
