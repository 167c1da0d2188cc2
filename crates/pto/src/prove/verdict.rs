//! Properties of lowered programs, and whether they hold.

use super::Situation;
use crate::data::Input;
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::rules;
use pto_machine::sim::Schedule;

/// Properties that are verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Property {
    /// Both programs take the same arguments, in the same order.
    Signature,
    /// The second program leaves no address of a tile and no synchronization to another tool.
    Lowered,
    /// The second program runs wherever the first one does, and watchers find no race, no misuse of flags, no value that
    /// is overwritten before it is read, and no read of bytes that nothing wrote.
    Silent,
    /// Both programs leave the same bits, under every schedule and for any contents of unwritten memory.
    Bits,
    /// Every instruction of both programs ran in a launch in which both were compared.
    Coverage,
}

impl Property {
    /// All properties, in the order in which they are verified.
    pub const ALL: [Property; 5] =
        [Property::Signature, Property::Lowered, Property::Silent, Property::Bits, Property::Coverage];

    /// Name of the property.
    pub fn word(self) -> &'static str {
        match self {
            Property::Signature => "signature",
            Property::Lowered => "lowered",
            Property::Silent => "silent",
            Property::Bits => "bits",
            Property::Coverage => "coverage",
        }
    }
}

/// Whether a property holds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// The property holds in all situations that were tried.
    Holds,
    /// The property fails in a situation.
    Fails(Box<Counterexample>),
    /// It is unknown whether the property holds, for this reason.
    Unknown(String),
}

/// The verdict on a lowered program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Verdict {
    /// All properties hold.
    Accepted,
    /// No property fails, but some are not known.
    Unknown,
    /// A property fails.
    Rejected,
}

impl Verdict {
    /// Name of the verdict.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Accepted => "accepted",
            Verdict::Unknown => "unknown",
            Verdict::Rejected => "rejected",
        }
    }
}

impl Outcome {
    fn findings(&self, property: Property) -> Vec<Diagnostic> {
        match self {
            Outcome::Holds | Outcome::Unknown(_) => Vec::new(),
            Outcome::Fails(found) => {
                let launch = found.launch();
                if !found.findings.is_empty() {
                    let noted = |finding: &Diagnostic| {
                        finding.clone().with_note(format!("in the launch with {launch}"))
                    };
                    return found.findings.iter().map(noted).collect();
                }
                let rule = if property == Property::Signature {
                    &rules::verify::SIGNATURE
                } else {
                    &rules::verify::BITS
                };
                let finding = Diagnostic::error(rule, found.message.clone());
                vec![if launch.is_empty() {
                    finding
                } else {
                    finding.with_note(format!("in the launch with {launch}"))
                }]
            }
        }
    }
}

/// The smallest situation found in which a property does not hold.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Counterexample {
    /// The error, as a sentence.
    pub message: String,
    /// The launch: values of scalars, number of blocks.
    pub situation: Option<Situation>,
    /// The schedule of the run.
    pub schedule: Option<(Schedule, u64)>,
    /// Findings of the check or of watchers in the second program.
    pub findings: Vec<Diagnostic>,
    /// The first element that differs.
    pub difference: Option<Difference>,
}

impl Counterexample {
    /// The launch in words: scalars, blocks, schedule. Empty if none is needed.
    pub fn launch(&self) -> String {
        let situation = self.situation.as_ref().map(Situation::describe);
        let schedule = self.schedule.map(|(schedule, seed)| match schedule {
            Schedule::Random | Schedule::Adversarial => format!("schedule {}, seed {seed}", schedule.word()),
            schedule => format!("schedule {}", schedule.word()),
        });
        [situation, schedule].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// An element that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// Number of the argument.
    pub argument: usize,
    /// Name of the argument in the first program.
    pub name: String,
    /// Rank of the buffer.
    pub rank: u32,
    /// Index of the element in the buffer.
    pub element: u64,
    /// Value of the element after the first program.
    pub want: String,
    /// Value of the element after the second program.
    pub got: String,
    /// Number of bytes of the buffer that differ.
    pub bytes: usize,
}

/// How two programs are compared.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// Inputs that are given; all others are generated, scalars in several ways.
    pub inputs: Vec<Input>,
    /// Number of blocks; by default 1, and more if the program reads their number.
    pub blocks: Option<u32>,
    /// Number of ranks.
    pub ranks: u32,
    /// Seed of generated contents, and of random schedules.
    pub seed: u64,
    /// Whether elementwise instructions of V on A2/A3 need no barrier between them.
    pub assume_v_chains: bool,
    /// Whether the target is given beside the programs, which may name none. On `cpu` a program needs no addresses and no flags, but only
    /// if that target is meant.
    pub target_given: bool,
    /// Tile instructions of all launches after which no further situation is tried.
    pub most_instructions: u64,
    /// Maximum number of steps of a block in a launch.
    pub most_steps: u64,
    /// Bytes of the buffers of all launches after which no further situation is tried.
    pub most_bytes: u64,
    /// Whether the second program runs under other schedules than program order, too.
    pub schedules: bool,
}

impl Default for VerifyOptions {
    fn default() -> VerifyOptions {
        VerifyOptions {
            inputs: Vec::new(),
            blocks: None,
            ranks: 1,
            seed: 0,
            assume_v_chains: false,
            target_given: false,
            most_instructions: 200_000,
            most_steps: 200_000_000,
            most_bytes: u64::MAX,
            schedules: true,
        }
    }
}

/// The instructions of a program that ran in compared launches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// Tile instructions, and operations that order pipes or cores.
    pub instructions: usize,
    /// Number of them that ran.
    pub ran: usize,
    /// Spans of those that did not run, in the order of the text.
    pub idle: Vec<Span>,
}

/// Result of a comparison.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Verification {
    /// Each property with its outcome.
    pub properties: Vec<(Property, Outcome)>,
    /// Situations in which the first program ran, and both were compared.
    pub compared: usize,
    /// Situations in which the first program does not run.
    pub skipped: usize,
    /// Launches of the second program.
    pub runs: usize,
    /// Lints of the second program: synchronization that no situation needed.
    pub lints: Vec<Diagnostic>,
    /// Coverage of the second program.
    pub coverage: Coverage,
    /// Coverage of the first program.
    pub source: Coverage,
    /// Unknown facts, as findings.
    pub(super) unknown: Vec<Diagnostic>,
}

impl Verification {
    /// Findings in the text of the second program and about both programs. Without an error, the reasons for an unknown
    /// verdict.
    pub fn findings(&self) -> Vec<Diagnostic> {
        match self.verdict() {
            Verdict::Unknown => self.unknown.clone(),
            _ => self.properties.iter().flat_map(|(property, outcome)| outcome.findings(*property)).collect(),
        }
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        let of = |outcome: &Outcome| match outcome {
            Outcome::Holds => Verdict::Accepted,
            Outcome::Unknown(_) => Verdict::Unknown,
            Outcome::Fails(_) => Verdict::Rejected,
        };
        self.properties.iter().map(|(_, outcome)| of(outcome)).max().unwrap_or(Verdict::Unknown)
    }

    /// Whether all properties hold.
    pub fn is_accepted(&self) -> bool {
        self.verdict() == Verdict::Accepted
    }
}
