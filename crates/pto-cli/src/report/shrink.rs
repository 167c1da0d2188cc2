//! The report of `pto shrink`.

use serde::Serialize;

/// JSON report of `pto shrink`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShrinkReport {
    /// The program's path.
    pub file: String,
    /// `program`, or `text` for one that does not parse or whose canonical form does not fulfil the condition.
    pub mode: &'static str,
    /// Size before.
    pub from: ShrinkSize,
    /// Size after.
    pub to: ShrinkSize,
    /// Candidates that were judged.
    pub tries: u64,
    /// Time in seconds.
    pub seconds: f64,
    /// Why it ended: `minimal` (no reduction at a single place fulfils the condition), `tries` or `seconds` (a bound was
    /// reached).
    pub end: &'static str,
    /// The reductions that were accepted.
    pub reductions: Vec<AcceptedReduction>,
    /// The smallest program.
    pub program: String,
}

/// The size of a program.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShrinkSize {
    /// Lines, without empty ones.
    pub lines: u64,
    /// Operations; 0 if the program is treated as text.
    pub operations: u64,
    /// Bytes.
    pub bytes: u64,
}

/// A reduction, and how often it was accepted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AcceptedReduction {
    /// Its name, as in docs/shrink.md.
    pub name: &'static str,
    /// Number of accepted candidates.
    pub accepted: u64,
}
