//! The report of `pto bench`, which `--save` writes and `--compare` reads.

use serde::{Deserialize, Serialize};

/// JSON report of `pto bench`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BenchReport {
    /// The measurements, in their order.
    pub figures: Vec<Figure>,
}

/// A measurement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Figure {
    /// Name of the measurement, the path of a program, and its kernel where it has several.
    pub name: String,
    /// Shortest time in nanoseconds.
    pub best_ns: f64,
    /// Median time in nanoseconds.
    pub median_ns: f64,
    /// Ratio of the times with and without watchers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watched: Option<f64>,
    /// Separate times of the instructions of a kernel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<Parts>,
}

/// Separate times of the instructions of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Parts {
    /// Their sum in nanoseconds.
    pub sum_ns: f64,
    /// The instructions, the longest first.
    pub instructions: Vec<Part>,
    /// Instructions that cannot be timed on their own.
    pub left_out: Vec<String>,
}

/// The instructions of one name in a kernel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Part {
    /// The name.
    pub name: String,
    /// Number of executions.
    pub count: u64,
    /// Their time in nanoseconds.
    pub ns: f64,
}
