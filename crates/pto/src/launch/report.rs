//! Reports of launches.

use crate::data::{Array, DataError, to_array};
use pto_isa::diag::Diagnostic;
use pto_machine::Program;
use pto_machine::observe::Watched;
use pto_machine::sim::{ArgumentKind, Outcome, Signature, Value};

/// Number and rank of an argument.
pub type RankArgument = (usize, u32);

/// The outcome of a launch, with the findings of its watchers.
pub struct Report<'p> {
    /// Outcome of the machine: buffers, printed text, counts of executions.
    pub outcome: Outcome,
    /// Findings and coverage of the watchers.
    pub watched: Watched,
    pub(super) program: &'p Program,
    /// The argument of each buffer of the outcome.
    pub(super) owners: Vec<RankArgument>,
}

/// The contents of a buffer after a launch.
#[derive(Clone, Debug)]
pub struct ArgumentResult {
    /// Name of the argument; with several ranks, `NAME@RANK`.
    pub name: String,
    /// Number of the argument.
    pub argument: usize,
    /// Rank of the buffer.
    pub rank: u32,
    /// The contents, in the shape of the program's views.
    pub array: Array,
    /// Whether the program may have written to it.
    pub written: bool,
}

impl Report<'_> {
    /// All findings of the launch: extensions and lints of the run, then those of its watchers.
    pub fn findings(&self) -> Vec<Diagnostic> {
        self.watched.after(&self.outcome)
    }

    /// Gives buffers shapes, by the number of their argument, for results of something that has no views.
    pub fn shape(&mut self, shapes: &[(usize, Vec<usize>)]) {
        for ((argument, _), buffer) in self.owners.iter().zip(&mut self.outcome.buffers) {
            if let Some((_, shape)) = shapes.iter().find(|(of, _)| of == argument) {
                buffer.shape = Some(shape.iter().map(|extent| *extent as u64).collect());
            }
        }
    }

    /// Moves the contents of all buffers out of the outcome, by rank and argument.
    ///
    /// # Errors
    /// A buffer whose bytes do not form an array.
    pub fn results(&mut self) -> Result<Vec<ArgumentResult>, DataError> {
        let several = self.owners.iter().any(|(_, rank)| *rank > 0);
        let signature = Signature::of(self.program.module(), self.program.entry()).map_err(DataError::new)?;
        let mut results = Vec::new();
        for ((argument, rank), buffer) in self.owners.iter().zip(self.outcome.buffers.drain(..)) {
            let described = &signature.arguments[*argument];
            let ArgumentKind::Buffer(element) = described.kind else { continue };
            let name = if several { format!("{}@{rank}", described.name) } else { described.name.clone() };
            let array = to_array(element, buffer.bytes, buffer.shape)?;
            results.push(ArgumentResult {
                name,
                argument: *argument,
                rank: *rank,
                array,
                written: buffer.written,
            });
        }
        Ok(results)
    }
}

/// The argument and rank of each buffer, in the order of a launch's results.
pub(super) fn buffers(ranks: &[Vec<Value>]) -> Vec<RankArgument> {
    let of_rank = |(rank, values): (usize, &Vec<Value>)| {
        let buffers = values.iter().enumerate().filter(|(_, value)| matches!(value, Value::Buffer { .. }));
        buffers.map(|(at, _)| (at, rank as u32)).collect::<Vec<_>>()
    };
    ranks.iter().enumerate().flat_map(of_rank).collect()
}
