//! The JSON reports of the commands as types. The schema `docs/json.schema.json` is generated from them.

mod bench;
mod check;
mod diff;
mod finding;
mod map;
mod number;
mod replay;
mod run;
mod sequence;
mod sequence_time;
mod shim;
mod shrink;
mod sweep;
mod test;
mod time;
mod verify;

pub use bench::{BenchReport, Figure, Part, Parts};
pub use check::CheckReport;
pub use diff::{
    Alignment, Change, Changes, DiffLogReport, DiffOutput, DiffReport, DiffValue, Entry, FirstDifference,
    Sides, Wrote,
};
pub use finding::{Edit, Finding, Labeled, Place, findings};
pub use map::{MapReport, MappedBuffer, MappedConflict, MappedTile, MappedValue, Ran};
pub use number::Number;
pub use replay::{ReplayReport, ReplayedTask, Unwritten};
pub use run::{Compared, Failure, Output, RunReport, Time, Tolerance, Watched, Writer};
pub use sequence::{KernelTime, SequenceReport};
pub use sequence_time::{KernelTiming, LaunchTiming, SequenceTiming};
pub use shim::{ShimReport, ShimVerified, ShimmedFile};
pub use shrink::{AcceptedReduction, ShrinkReport, ShrinkSize};
pub use sweep::{File, Idle, SweepReport};
pub use test::{CaseResult, TestReport};
pub use time::{TimeReport, TimedLine, TimedOperation, TimedPart, TimedPipe, TimedStall, Timings};
pub use verify::{
    DifferingElement, VerifiedBy, VerifiedKernel, VerifiedProgram, VerifiedProperty, VerifyAllReport,
    VerifyReport, idle_lines,
};

use serde::Serialize;

/// A report with the version of the command.
#[derive(Serialize)]
struct Versioned<'r, R> {
    version: &'static str,
    #[serde(flatten)]
    report: &'r R,
}

/// A report, which is an object, as text in lines. It begins with the version of the command.
pub fn to_text(report: &impl Serialize) -> String {
    let versioned = Versioned { version: env!("CARGO_PKG_VERSION"), report };
    serde_json::to_string_pretty(&versioned).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests;
