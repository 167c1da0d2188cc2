//! Comparison of the buffers that two programs leave.

use super::Ran;
use crate::report::{DiffOutput, DiffValue, Number};
use pto::data::{Array, Comparison, DataError, Mismatch, Tolerance, compare as compare_arrays, dtype};

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

/// Compares all buffers that one of the programs has written, in the shapes of the first program's views.
pub(super) fn compare(
    a: &mut Ran<'_>,
    b: &mut Ran<'_>,
    tolerance: &Tolerance,
) -> Result<Vec<OutputPair>, DataError> {
    for (shaped, buffer) in a.report.outcome.buffers.iter().zip(&mut b.report.outcome.buffers) {
        buffer.shape.clone_from(&shaped.shape);
    }
    let pairs = a.report.results()?.into_iter().zip(b.report.results()?);
    let written = pairs.filter(|(first, second)| first.written || second.written);
    let compared = written.map(|(first, second)| {
        let comparison = compare_arrays(&second.array, &first.array, tolerance)?;
        Ok(OutputPair { name: first.name, comparison, first: first.array })
    });
    compared.collect()
}
