//! The report of `pto replay`.

use super::{Compared, Finding};
use serde::Serialize;

/// JSON report of `pto replay`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReplayReport {
    /// The tasks, in the order of the dump.
    pub tasks: Vec<ReplayedTask>,
    /// The first task that differs.
    pub first: Option<String>,
    /// Number of tasks whose outputs are the recorded ones.
    pub same: usize,
    /// Number of tasks whose outputs differ.
    pub differ: usize,
    /// Number of tasks that could not be replayed.
    pub failed: usize,
    /// Records that cannot be understood.
    pub problems: Vec<String>,
    /// Number of records that the recorder lost.
    pub dropped: u64,
    /// The folder of the case that was written.
    pub saved: Option<String>,
    /// Time of all tasks in seconds.
    pub seconds: f64,
}

/// A task of a dump.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReplayedTask {
    /// Its name in the dump.
    pub task: String,
    /// Numbers of the functions that it runs.
    pub functions: Vec<i64>,
    /// The program of its kernel; null if none was found.
    pub kernel: Option<String>,
    /// Number of blocks.
    pub blocks: u32,
    /// `same`, `differs` or `failed`.
    pub status: &'static str,
    /// The comparisons of its outputs.
    pub compared: Vec<Compared>,
    /// Outputs of which the kernel does not write all elements; the others are not compared.
    pub unwritten: Vec<Unwritten>,
    /// Why it could not be replayed, if that is no finding in its program.
    pub error: Option<String>,
    /// Findings in its program.
    pub diagnostics: Vec<Finding>,
    /// Time in seconds.
    pub seconds: f64,
}

/// Elements of an output that a kernel does not write.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Unwritten {
    /// Name of the argument.
    pub name: String,
    /// Number of elements.
    pub count: usize,
}
