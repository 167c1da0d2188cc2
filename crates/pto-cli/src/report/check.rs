//! The findings of `pto check`.

use super::Finding;
use serde::Serialize;

/// The findings in the checked programs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CheckReport {
    /// The findings, program by program.
    pub diagnostics: Vec<Finding>,
    /// Number of findings left out, since the baseline has them.
    pub known: usize,
}
