//! Comparison of the buffers that two programs leave.

use super::Ran;
use crate::commands::run::{ArgumentResult, owners, results};
use crate::report::{DiffOutput, DiffValue, Number};
use pto::data::{Array, Comparison, DataError, Mismatch, Tolerance, compare as compare_arrays, dtype};
use pto::sim::BufferState;

/// A buffer that one of the programs has written.
pub(super) struct OutputPair {
    /// Name of the argument, with the rank if there are several.
    pub(super) name: String,
    /// The second program's contents compared with those of the first.
    pub(super) comparison: Comparison,
    /// The first program's contents.
    first: Array,
}

impl OutputPair {
    /// The comparison as data.
    pub(super) fn report(&self) -> DiffOutput {
        let Comparison { element, mismatches, total, first, worst, shape, .. } = &self.comparison;
        let value = |mismatch: &Mismatch| DiffValue {
            index: self.first.index(mismatch.position),
            a: Number::of_bits(*element, mismatch.want_bits),
            b: Number::of_bits(*element, mismatch.got_bits),
        };
        DiffOutput {
            name: self.name.clone(),
            dtype: dtype::word(*element),
            shape: shape.clone(),
            differing: *mismatches,
            total: *total,
            first: first.as_ref().map(value),
            worst: worst.as_ref().map(value),
        }
    }
}

/// The buffers of a run as arrays, in the shape of the first program's views.
fn arrays(ran: &Ran<'_>, shapes: &[BufferState]) -> Result<Vec<ArgumentResult>, DataError> {
    let states = ran
        .outcome
        .buffers
        .iter()
        .zip(shapes)
        .map(|(state, shaped)| BufferState { shape: shaped.shape.clone(), ..state.clone() });
    results(&ran.subject.signature, &owners(&ran.ranks), states.collect())
}

/// Compares all buffers that one of the programs has written.
pub(super) fn compare(
    (a, b): (&Ran<'_>, &Ran<'_>),
    tolerance: &Tolerance,
) -> Result<Vec<OutputPair>, DataError> {
    let shapes = &a.outcome.buffers;
    let pairs = arrays(a, shapes)?.into_iter().zip(arrays(b, shapes)?);
    let written = pairs.filter(|(first, second)| first.written || second.written);
    let compared = written.map(|(first, second)| {
        let comparison = compare_arrays(&second.array, &first.array, tolerance)?;
        Ok(OutputPair { name: first.name, comparison, first: first.array })
    });
    compared.collect()
}
