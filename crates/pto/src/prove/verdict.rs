//! Properties of lowered programs, and whether they hold.

use super::Situation;
use crate::data::Input;
use pto_isa::diag::Diagnostic;
use pto_isa::rules;
use pto_machine::sim::Schedule;

/// What is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Property {
    /// Both take the same arguments, in the same order.
    Signature,
    /// The second program runs wherever the first one does, and watchers find no race, no misuse of flags and no value that
    /// is overwritten before it is read.
    Silent,
    /// Both leave the same bits, under every schedule.
    Bits,
}

impl Property {
    /// All properties, in the order in which they are verified.
    pub const ALL: [Property; 3] = [Property::Signature, Property::Silent, Property::Bits];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Property::Signature => "signature",
            Property::Silent => "silent",
            Property::Bits => "bits",
        }
    }
}

/// Whether a property holds.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Outcome {
    /// It holds in all situations that were tried.
    Holds,
    /// It does not.
    Fails(Box<Counterexample>),
    /// Nothing was found out, for this reason.
    Unknown(String),
}

impl Outcome {
    fn findings(&self, property: Property) -> Vec<Diagnostic> {
        match self {
            Outcome::Holds => Vec::new(),
            Outcome::Unknown(why) => match property {
                // Said once.
                Property::Bits => vec![Diagnostic::error(&rules::verify::UNKNOWN, why.clone())],
                _ => Vec::new(),
            },
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
    /// What is wrong, as a sentence.
    pub message: String,
    /// The launch: values of scalars, number of blocks.
    pub situation: Option<Situation>,
    /// The schedule of the run.
    pub schedule: Option<(Schedule, u64)>,
    /// What a check or watchers found in the second program.
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
    /// Its name in the first program.
    pub name: String,
    /// Rank of the buffer.
    pub rank: u32,
    /// Index of the element in the buffer.
    pub element: u64,
    /// Its value after the first program.
    pub want: String,
    /// Its value after the second.
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
}

impl Default for VerifyOptions {
    fn default() -> VerifyOptions {
        VerifyOptions { inputs: Vec::new(), blocks: None, ranks: 1, seed: 0, assume_v_chains: false }
    }
}

/// What a comparison found out.
#[derive(Clone, Debug)]
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
}

impl Verification {
    /// What is wrong, as findings: those in the text of the second program, and those about both.
    pub fn findings(&self) -> Vec<Diagnostic> {
        self.properties.iter().flat_map(|(property, outcome)| outcome.findings(*property)).collect()
    }

    /// Whether all properties hold.
    pub fn is_accepted(&self) -> bool {
        self.properties.iter().all(|(_, outcome)| matches!(outcome, Outcome::Holds))
    }
}
