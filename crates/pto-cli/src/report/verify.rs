//! The report of `pto verify`.

use super::Finding;
use crate::render::SourceText;
use pto::prove::{Coverage, Difference, Outcome, Verification};
use serde::Serialize;

/// JSON report of `pto verify`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerifyReport {
    /// The lowered program.
    pub file: String,
    /// `accepted`, `rejected` or `unknown`.
    pub verdict: &'static str,
    /// Whether it is accepted as the lowered form of the source.
    pub accepted: bool,
    /// The kernels that were verified.
    pub kernels: Vec<VerifiedKernel>,
    /// Findings in the text of the lowered program; without any, the unknown facts.
    pub diagnostics: Vec<Finding>,
    /// Time in seconds.
    pub seconds: f64,
}

/// JSON report of `pto verify --all`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerifyAllReport {
    /// The commands that lowered the programs.
    pub commands: Vec<String>,
    /// The legal programs of the folder.
    pub programs: Vec<VerifiedProgram>,
    /// Time in seconds.
    pub seconds: f64,
}

/// Results of the commands on a program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerifiedProgram {
    /// Its path in the folder.
    pub file: String,
    /// The result of each command, in their order.
    pub results: Vec<VerifiedBy>,
}

/// Result of one command on a program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerifiedBy {
    /// `accepted`, `rejected`, `unknown`, or `failed` if the command did.
    pub verdict: &'static str,
    /// Microseconds on the usual device of the target; null if it does not run to its end.
    pub microseconds: Option<f64>,
    /// The error, or the unknown fact.
    pub message: Option<String>,
    /// Findings in the text of the lowered program.
    pub diagnostics: Vec<Finding>,
}

/// A kernel that was verified.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerifiedKernel {
    /// Name of the entry function.
    pub entry: String,
    /// The properties in order.
    pub properties: Vec<VerifiedProperty>,
    /// Situations in which both programs were compared.
    pub compared: usize,
    /// Situations in which the source does not run.
    pub skipped: usize,
    /// Launches of the lowered program.
    pub runs: usize,
    /// Instructions of the lowered program: tile instructions, and operations that order pipes or cores.
    pub instructions: usize,
    /// Those that ran in situations in which both programs were compared.
    pub ran: usize,
    /// Lines of the others.
    pub not_run: Vec<usize>,
    /// Lines of the source with instructions that did not run.
    pub source_not_run: Vec<usize>,
}

/// A property, and whether it holds.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VerifiedProperty {
    /// `signature`, `lowered`, `silent`, `bits` or `coverage`.
    pub property: &'static str,
    /// `holds`, `fails` or `unknown`.
    pub verdict: &'static str,
    /// The error, or the reason for an unknown verdict.
    pub message: Option<String>,
    /// The smallest launch found that shows it: values of scalars, blocks, schedule.
    pub launch: Option<String>,
    /// The first element that differs.
    pub difference: Option<DifferingElement>,
}

/// An element that differs.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DifferingElement {
    /// Name of the argument in the source.
    pub argument: String,
    /// Rank of the buffer.
    pub rank: u32,
    /// Index of the element in the buffer.
    pub element: u64,
    /// Its value after the source.
    pub want: String,
    /// Its value after the lowered program.
    pub got: String,
    /// Number of bytes of the buffer that differ.
    pub bytes: usize,
}

impl VerifiedKernel {
    /// The report on a kernel, with the texts of the lowered program and of its source.
    pub fn of(
        entry: &str,
        verification: &Verification,
        [lowered, source]: &[SourceText<'_>; 2],
    ) -> VerifiedKernel {
        let properties = verification.properties.iter().map(|(property, outcome)| {
            let (verdict, message, found) = match outcome {
                Outcome::Fails(found) => ("fails", Some(found.message.clone()), Some(found)),
                Outcome::Unknown(why) => ("unknown", Some(why.clone()), None),
                _ => ("holds", None, None),
            };
            VerifiedProperty {
                property: property.word(),
                verdict,
                message,
                launch: found.map(|found| found.launch()).filter(|launch| !launch.is_empty()),
                difference: found.and_then(|found| found.difference.as_ref()).map(DifferingElement::of),
            }
        });
        VerifiedKernel {
            entry: entry.to_owned(),
            properties: properties.collect(),
            compared: verification.compared,
            skipped: verification.skipped,
            runs: verification.runs,
            instructions: verification.coverage.instructions,
            ran: verification.coverage.ran,
            not_run: idle_lines(&verification.coverage, lowered),
            source_not_run: idle_lines(&verification.source, source),
        }
    }
}

/// The lines of instructions that did not run, ascending, each once.
pub fn idle_lines(coverage: &Coverage, source: &SourceText<'_>) -> Vec<usize> {
    let lines = coverage.idle.iter().map(|span| source.position(span.start as usize).line);
    let mut lines: Vec<usize> = lines.collect();
    lines.dedup();
    lines
}

impl DifferingElement {
    fn of(difference: &Difference) -> DifferingElement {
        let Difference { name, rank, element, want, got, bytes, .. } = difference;
        DifferingElement {
            argument: name.clone(),
            rank: *rank,
            element: *element,
            want: want.clone(),
            got: got.clone(),
            bytes: *bytes,
        }
    }
}
