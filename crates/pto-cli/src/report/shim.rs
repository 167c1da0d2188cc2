//! The report that the assembler of `pto shim` writes.

use super::Finding;
use serde::Serialize;

/// Report that the assembler of `pto shim` writes beside its result.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShimReport {
    /// The real assembler.
    pub real: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its exit status; null if a signal ended it.
    pub status: Option<i32>,
    /// Time that it took, in seconds.
    pub seconds: f64,
    /// The program that went in; null if the arguments name none.
    pub input: Option<ShimmedFile>,
    /// The program that came out; null if the result is no program, such as C++, or is missing.
    pub output: Option<ShimmedFile>,
    /// Whether the program that came out computes what the one that went in computes; null if one of them is missing or not legal.
    pub verified: Option<ShimVerified>,
    /// Whether `--fail-on` makes the call fail.
    pub failed: bool,
}

/// The comparison of what went in with what came out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShimVerified {
    /// `accepted`, `rejected` or `unknown`.
    pub verdict: &'static str,
    /// The error, or the unknown fact.
    pub message: Option<String>,
}

/// A program that was checked and watched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShimmedFile {
    /// Its path.
    pub file: String,
    /// `clean`, `lint`, `error` or `unjudged`.
    pub verdict: &'static str,
    /// Why the program, or its run, could not be judged.
    pub unjudged: Option<String>,
    /// The findings of the check and of the watchers.
    pub findings: Vec<Finding>,
    /// Time of the check and the run, in seconds.
    pub seconds: f64,
}
