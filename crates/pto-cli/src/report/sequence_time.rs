//! The report of `pto time --sequence`.

use super::Finding;
use serde::Serialize;

/// JSON report of `pto time --sequence`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SequenceTiming {
    /// The sequence.
    pub file: String,
    /// The device.
    pub device: String,
    /// Its clock in GHz.
    pub clock: f64,
    /// Time from the start of the first launch to the end of the last, in microseconds.
    pub microseconds: f64,
    /// Number of launches.
    pub launches: usize,
    /// The kernels, in the order in which the sequence names them.
    pub kernels: Vec<KernelTiming>,
    /// The longest launches, longest first.
    pub longest: Vec<LaunchTiming>,
    /// The launch that an error stopped: those before it are timed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// Whether a launch had more steps than were timed.
    pub truncated: bool,
    /// Findings in kernels and across launches.
    pub diagnostics: Vec<Finding>,
}

/// The launches of a kernel on a device.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct KernelTiming {
    /// The file, as the sequence names it.
    pub file: String,
    /// The function, if the sequence names one.
    pub entry: Option<String>,
    /// Whether the program has no flags of its own, and was lowered.
    pub lowered: bool,
    /// Number of launches.
    pub launches: usize,
    /// Sum of their times in microseconds.
    pub microseconds: f64,
    /// Time of the longest of them.
    pub longest: f64,
}

/// One launch on a device.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LaunchTiming {
    /// Its name, with the values of the indices around it.
    pub name: String,
    /// When it began, in microseconds.
    pub start: f64,
    /// Its time in microseconds.
    pub microseconds: f64,
}
