//! The report of `pto run --all`.

use super::Finding;
use serde::Serialize;

/// JSON report of `pto run --all`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SweepReport {
    /// The programs, sorted by name.
    pub files: Vec<File>,
    /// Number of programs whose launches ended normally.
    pub ok: usize,
    /// Number of these in which no tile instruction ran.
    pub empty: usize,
    /// Number of programs that are not legal.
    pub rejected: usize,
    /// Number of these that the manifest expects.
    pub rejected_as_expected: usize,
    /// Number of programs that cannot be read, or a launch of which was stopped.
    pub failed: usize,
    /// Time of all in seconds.
    pub seconds: f64,
}

/// A program.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct File {
    /// Its path, relative to the folder.
    pub file: String,
    /// `ok`, `rejected` or `failed`.
    pub verdict: &'static str,
    /// Whether that is expected.
    pub fine: bool,
    /// The rules that it breaks.
    pub rules: Vec<String>,
    /// The first error.
    pub message: Option<String>,
    /// The line of the first error.
    pub line: Option<usize>,
    /// The errors.
    pub diagnostics: Vec<Finding>,
    /// Number of launches.
    pub launches: usize,
    /// Whether its inputs were guessed.
    pub guessed: bool,
    /// Number of instructions that ran.
    pub instructions: u64,
    /// Whether no tile instruction ran, so that the launches show nothing.
    pub empty: bool,
    /// Tile instructions that no launch executed.
    pub never_ran: Vec<Idle>,
    /// Time in seconds.
    pub seconds: f64,
}

/// A tile instruction that no launch executed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Idle {
    /// Its line.
    pub line: usize,
    /// Its name.
    pub instruction: String,
}
