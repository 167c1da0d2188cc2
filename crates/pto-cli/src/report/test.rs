//! The report of `pto test`.

use super::Finding;
use serde::Serialize;

/// JSON report of `pto test`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TestReport {
    /// The cases.
    pub cases: Vec<CaseResult>,
    /// Number of cases that passed.
    pub passed: usize,
    /// Number of cases that failed.
    pub failed: usize,
    /// Time of all in seconds.
    pub seconds: f64,
}

/// A recorded case.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CaseResult {
    /// Its folder.
    pub case: String,
    /// The family of its instruction; `?` if the case cannot be read.
    pub family: String,
    /// Its instruction.
    pub op: String,
    /// Whether it passed.
    pub passed: bool,
    /// The reason of a failure, as text.
    pub failure: Option<String>,
    /// The findings: errors of the check or of the run, and `expect::mismatch` for a wrong result.
    pub diagnostics: Vec<Finding>,
    /// Time in seconds.
    pub seconds: f64,
}
