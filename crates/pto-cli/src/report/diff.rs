//! The reports of `pto diff` and `pto diff-log`.

use super::{Number, Tolerance};
use serde::Serialize;

/// JSON report of `pto diff`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffReport {
    /// The first program's file.
    pub a: String,
    /// The second program's file.
    pub b: String,
    /// Whether anything differs.
    pub differs: bool,
    /// Differences of values that are allowed.
    pub tolerance: Tolerance,
    /// How the two logs are aligned.
    #[serde(flatten)]
    pub alignment: Alignment<Entry>,
    /// Number of entries at the end of each run that are not compared, because there are too many.
    pub left_out: Sides<u64>,
    /// The first instruction whose values differ.
    pub first: Option<FirstDifference>,
    /// The arguments that one of the programs has written.
    pub outputs: Vec<DiffOutput>,
}

/// JSON report of `pto diff-log`. Entries are lines of the logs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffLogReport {
    /// How the two logs are aligned.
    #[serde(flatten)]
    pub alignment: Alignment<String>,
    /// Number of aligned entries that wrote other values.
    pub values_differ: u64,
    /// The first of them.
    pub first: Option<Sides<Option<String>>>,
}

/// Something of both programs.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Sides<T> {
    /// Of the first program.
    pub a: T,
    /// Of the second program.
    pub b: T,
}

/// How the logs of two programs are aligned.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Alignment<E> {
    /// Number of entries.
    pub entries: Sides<u64>,
    /// Number of pairs of aligned entries.
    pub aligned: u64,
    /// Number of those at other addresses.
    pub at_other_addresses: u64,
    /// Entries that only the first program has.
    pub only_a: Changes<E>,
    /// Entries that only the second program has.
    pub only_b: Changes<E>,
    /// Other operations with the same destinations.
    pub replaced: Changes<E>,
    /// Entries in another order, of which one depends on the other.
    pub reordered: Changes<E>,
}

/// Differences of one kind.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Changes<E> {
    /// Their number.
    pub count: u64,
    /// The first ones, each with its repetitions.
    pub places: Vec<Change<E>>,
}

impl<E> Default for Changes<E> {
    fn default() -> Changes<E> {
        Changes { count: 0, places: Vec::new() }
    }
}

/// Differences of one kind at one place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Change<E> {
    /// Number of repetitions.
    pub count: u64,
    /// The first program's entry; null if it has none.
    pub a: Option<E>,
    /// The second program's entry; null if it has none.
    pub b: Option<E>,
}

/// An operation that a core ran.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Entry {
    /// Line in the program, from 1.
    pub line: u32,
    /// Column in the program, from 1.
    pub column: u32,
    /// The rank that ran it.
    pub rank: u32,
    /// The block that ran it.
    pub block: u32,
    /// The kind of core: `core`, `cube` or `vector`.
    pub core: &'static str,
    /// Index of the vector core.
    pub vector_core: u32,
    /// The pipe.
    pub pipe: &'static str,
    /// The operation.
    pub operation: String,
    /// Its action in a few words.
    pub effect: String,
    /// Its line in a log.
    pub log: String,
}

/// The first pair of aligned instructions whose values differ.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FirstDifference {
    /// Row of the first value that differs; null for a destination without rows.
    pub row: Option<u64>,
    /// Column of the first value that differs.
    pub column: u64,
    /// Distance of both values in units in the last place; null if one is no number, or if the formats differ.
    pub ulp: Option<u64>,
    /// Number of values that differ.
    pub differing: usize,
    /// Number of values.
    pub total: usize,
    /// The first program's instruction.
    pub a: Option<Wrote>,
    /// The second program's instruction.
    pub b: Option<Wrote>,
}

/// An instruction, and what it wrote.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Wrote {
    /// The instruction.
    #[serde(flatten)]
    pub entry: Entry,
    /// How often the core had run it, with this time.
    pub execution: usize,
    /// Name of the destination.
    pub destination: String,
    /// Format of the destination's values.
    pub dtype: &'static str,
    /// The value; null if the instruction did not write the element.
    pub value: Option<Number>,
}

/// An argument after both runs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffOutput {
    /// Name of the argument; with several ranks, `NAME@RANK`.
    pub name: String,
    /// Element type.
    pub dtype: &'static str,
    /// Extents.
    pub shape: Vec<usize>,
    /// Number of values that differ.
    pub differing: usize,
    /// Number of values.
    pub total: usize,
    /// The first value that differs.
    pub first: Option<DiffValue>,
    /// The value that differs most.
    pub worst: Option<DiffValue>,
}

/// A value that differs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiffValue {
    /// Its index, one number a dimension.
    pub index: Vec<usize>,
    /// The first program's value.
    pub a: Number,
    /// The second program's value.
    pub b: Number,
}
