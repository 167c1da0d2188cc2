//! The report of `pto run`.

use super::{Finding, Number};
use pto::data::{self, Array, dtype};
use pto::data::{Comparison, Mismatch};
use serde::Serialize;

/// Most values of an output that a report lists.
const MOST_VALUES: usize = 4096;

/// JSON report of `pto run` for a program.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunReport {
    /// Findings of the check and of the watchers, and the error that stopped the run.
    pub diagnostics: Vec<Finding>,
    /// The arguments that the run wrote.
    pub outputs: Vec<Output>,
    /// The comparisons of `--expect`.
    pub expect: Vec<Compared>,
    /// Times of the launches.
    pub time: Option<Time>,
    /// Texts that the program printed.
    pub printed: Vec<String>,
    /// Coverage of the watchers, if there were any.
    pub watched: Option<Watched>,
}

/// An argument after a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Output {
    /// Name of the argument; with several ranks, `NAME@RANK`.
    pub name: String,
    /// Element type.
    pub dtype: &'static str,
    /// Extents.
    pub shape: Vec<usize>,
    /// Number of NaN.
    pub nan: usize,
    /// Number of infinities.
    pub infinite: usize,
    /// Smallest finite value.
    pub min: Option<Number>,
    /// Largest finite value.
    pub max: Option<Number>,
    /// The values in C order; null for more than 4096.
    pub values: Option<Vec<Number>>,
}

impl Output {
    /// The contents of an argument.
    pub fn of(name: &str, array: &Array) -> Output {
        let (mut nan, mut infinite) = (0, 0);
        let mut ends: Option<(f64, usize, f64, usize)> = None;
        for position in 0..array.values() {
            let value = array.value_as_f64(position);
            nan += usize::from(value.is_nan());
            infinite += usize::from(value.is_infinite());
            if value.is_finite() {
                let (low, at_low, high, at_high) = ends.unwrap_or((value, position, value, position));
                let (low, at_low) = if value < low { (value, position) } else { (low, at_low) };
                let (high, at_high) = if value > high { (value, position) } else { (high, at_high) };
                ends = Some((low, at_low, high, at_high));
            }
        }
        let values = || (0..array.values()).map(|at| Number::of(array, at)).collect();
        Output {
            name: name.to_owned(),
            dtype: dtype::word(array.element()),
            shape: array.shape().to_vec(),
            nan,
            infinite,
            min: ends.map(|(_, at, ..)| Number::of(array, at)),
            max: ends.map(|(.., at)| Number::of(array, at)),
            values: (array.values() <= MOST_VALUES).then(values),
        }
    }
}

/// The comparison of an argument with its expected values.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Compared {
    /// Name of the argument.
    pub name: String,
    /// Whether every value is within the tolerance.
    pub passed: bool,
    /// Number of values beyond the tolerance.
    pub mismatches: usize,
    /// Number of values.
    pub total: usize,
    /// The tolerance.
    pub tolerance: Tolerance,
    /// The first mismatch.
    pub first: Option<Failure>,
    /// The worst mismatch.
    pub worst: Option<Failure>,
    /// The instruction that wrote the first mismatch last; null if none did, or if there is no mismatch.
    pub writer: Option<Writer>,
    /// The comparison as text.
    pub report: String,
}

/// Allowed errors.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Tolerance {
    /// Absolute error.
    pub atol: Number,
    /// Error relative to the expected value.
    pub rtol: Number,
    /// Distance in units in the last place.
    pub ulp: u64,
}

impl From<data::Tolerance> for Tolerance {
    fn from(data::Tolerance { atol, rtol, ulp, .. }: data::Tolerance) -> Tolerance {
        Tolerance { atol: atol.into(), rtol: rtol.into(), ulp }
    }
}

/// A value beyond the tolerance.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Failure {
    /// Index of the element, with one number for each dimension.
    pub index: Vec<usize>,
    /// The value.
    pub got: Number,
    /// The expected value.
    pub want: Number,
    /// The absolute difference.
    pub absolute_error: Number,
    /// The distance in units in the last place; null if one of the two is NaN.
    pub ulp: Option<u64>,
}

/// A tile instruction that wrote to global memory.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Writer {
    /// Its name.
    pub instruction: String,
    /// Its line in the program.
    pub line: usize,
    /// The rank that ran it.
    pub rank: u32,
    /// The block that ran it.
    pub block: u32,
}

impl Compared {
    /// The comparison `comparison` of `got` with `want`.
    pub fn of(
        name: &str,
        comparison: &Comparison,
        got: &Array,
        want: &Array,
        writer: Option<Writer>,
    ) -> Compared {
        let failure = |mismatch: &Mismatch| Failure {
            index: want.index(mismatch.position),
            got: Number::of(got, mismatch.position),
            want: match comparison.reference {
                // The value of the reference, which `want` has rounded.
                Some(_) => mismatch.want.parse().unwrap_or(f64::NAN).into(),
                None => Number::of(want, mismatch.position),
            },
            absolute_error: mismatch.absolute_error.into(),
            ulp: mismatch.ulp,
        };
        Compared {
            name: name.to_owned(),
            passed: comparison.passed(),
            mismatches: comparison.mismatches,
            total: comparison.total,
            tolerance: comparison.tolerance.into(),
            first: comparison.first.as_ref().map(failure),
            worst: comparison.worst.as_ref().map(failure),
            writer,
            report: comparison.to_string(),
        }
    }
}

/// Times of launches.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Time {
    /// Number of launches.
    pub launches: usize,
    /// Shortest time in nanoseconds.
    pub min_ns: u64,
    /// Median time in nanoseconds.
    pub median_ns: u64,
}

/// Coverage of the watchers of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Watched {
    /// Pairs of conflicting operations that are ordered in each of their runs.
    pub pairs_ordered: Option<u64>,
    /// Conflicts that were accepted as chains of elementwise instructions, if chains are accepted.
    pub chained: Option<u64>,
    /// Assumption about the order within a core.
    pub assumed: Option<String>,
    /// Waits, barriers and token operations that ran.
    pub waits: Option<u64>,
    /// Reads of written bytes.
    pub reads: Option<u64>,
    /// Accesses that the watcher `mem` checked.
    pub accesses: Option<u64>,
    /// Number of tile instructions.
    pub instructions: usize,
    /// Number of tile instructions that never ran.
    pub never_ran: usize,
}
