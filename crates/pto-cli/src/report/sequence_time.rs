//! The report of `pto time --sequence`.

use super::Finding;
use serde::Serialize;

/// What `pto time --sequence --json` prints.
#[derive(Clone, Debug, Default, Serialize)]
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
    /// Whether an error stopped the sequence.
    pub stopped: bool,
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

impl KernelTiming {
    /// A kernel without launches.
    pub fn new(file: &str, entry: &Option<String>, lowered: bool) -> KernelTiming {
        let (launches, microseconds, longest) = (0, 0.0, 0.0);
        KernelTiming { file: file.to_owned(), entry: entry.clone(), lowered, launches, microseconds, longest }
    }

    /// Adds a launch.
    pub fn add(&mut self, microseconds: f64) {
        self.launches += 1;
        self.microseconds += microseconds;
        self.longest = self.longest.max(microseconds);
    }
}

impl SequenceTiming {
    /// Keeps the longest launches, in order.
    pub fn keep_longest(&mut self, most: usize) {
        self.longest.sort_by(|a, b| b.microseconds.total_cmp(&a.microseconds));
        self.longest.truncate(most);
    }
}
