//! Two programs in one situation.

use super::arena::{Arena, Arguments, is_equal};
use super::situations::situations;
use super::unlowered::is_for_cpu;
use super::{Counterexample, Difference, Situation, VerifyOptions};
use crate::data::{Failure, Files, Kept, Plan, plan, value_text};
use pto_isa::Element;
use pto_isa::diag::{Diagnostic, Severity};
use pto_isa::rule::RuleId;
use pto_isa::rules;
use pto_lang::analysis::Synchronization;
use pto_machine::observe::{WatchOptions, Watcher, Watchers, watch};
use pto_machine::sim::{ArgumentKind, Options, Outcome, Program, Schedule, Signature, Storage, Value};
use std::cell::OnceCell;

/// Number of tile instructions of one launch above which each kind of schedule runs only once.
const MANY_INSTRUCTIONS: u64 = 5_000;
/// Maximum number of steps of a block in a comparison with generated values.
const MOST_STEPS_VARIED: u64 = 5_000_000;
/// Maximum number of steps of the second program: this multiple of the steps of the first one, plus [`MORE_STEPS`]. A
/// program with more steps counts as endless.
const TIMES_STEPS: u64 = 64;
const MORE_STEPS: u64 = 1_000_000;
/// Maximum size in bytes of buffers that grow in a comparison with generated values.
const MOST_BYTES_VARIED: u64 = 64 << 20;
/// A byte for unwritten memory, beside all ones: finite and far from 0 in every format.
const OTHER_PATTERN: u8 = 0x5a;

/// Both programs in one situation.
pub(super) struct Comparison<'a> {
    pub(super) source: &'a Program,
    pub(super) lowered: &'a Program,
    pub(super) signature: &'a Signature,
    pub(super) options: &'a VerifyOptions,
    pub(super) situation: &'a Situation,
    pub(super) arena: &'a Arena,
}

/// Result of one situation.
pub(super) struct Compared {
    pub(super) silent: Option<Counterexample>,
    pub(super) bits: Option<Counterexample>,
    pub(super) lints: Vec<Diagnostic>,
    /// A race of the second program that only synchronization which is inserted later can end.
    pub(super) open: Option<Diagnostic>,
    /// Execution count of each operation of the second program, as in [`Outcome::executed`]; empty if it stopped.
    pub(super) executed: Vec<Vec<u64>>,
    /// Execution count of each operation of the first program.
    pub(super) of_source: Vec<Vec<u64>>,
    pub(super) runs: usize,
    /// Tile instructions of all runs.
    pub(super) instructions: u64,
    /// Steps of all runs.
    pub(super) steps: u64,
    /// Bytes of the buffers of all runs.
    pub(super) bytes: u64,
}

/// Result of the first program.
struct Expected {
    arguments: Arguments,
    contents: Contents,
    /// For each buffer, its undefined bytes, empty if there are none; found when something differs.
    undefined: OnceCell<Vec<Vec<bool>>>,
    /// Findings of watchers in the first program itself.
    findings: Vec<Diagnostic>,
    /// Execution count of each operation.
    executed: Vec<Vec<u64>>,
    /// Tile instructions of one run.
    instructions: u64,
    /// Steps of one run.
    steps: u64,
}

/// Contents of all buffers after a launch.
type Contents = Vec<Storage>;

/// A launch of a program as a comparison would begin with it.
pub(crate) struct Generated {
    arguments: Arguments,
    arena: Arena,
    /// Options of the machine.
    pub(crate) options: Options,
}

impl Generated {
    /// The first launch of the program; `None` if it does not run.
    pub(crate) fn of(program: &Program, options: &VerifyOptions, files: &dyn Files) -> Option<Generated> {
        let signature = &Signature::of(program.module(), program.entry()).ok()?;
        let (first, _) = situations(program, &program.interface(), &options.inputs, options.blocks);
        let (situation, arena) = (first.first()?, &Arena::default());
        let comparison =
            Comparison { source: program, lowered: program, signature, options, situation, arena };
        let base = comparison.base();
        let expected = comparison.expected(&base, files, &mut Kept::default()).ok()?;
        Some(Generated { arguments: expected.arguments, arena: arena.clone(), options: base })
    }

    /// The values of its arguments, for each rank.
    pub(crate) fn values(&self) -> Vec<Vec<Value>> {
        self.arena.values(&self.arguments)
    }
}

impl Comparison<'_> {
    /// The options of all launches.
    fn base(&self) -> Options {
        let most = self.options.most_steps;
        let most = if self.situation.is_generated { most.min(MOST_STEPS_VARIED) } else { most };
        Options::default().blocks(self.situation.blocks).max_steps(most).seed(self.options.seed)
    }

    /// Runs both programs.
    pub(super) fn run(&self, files: &dyn Files, kept: &mut Kept) -> Result<Compared, Failure> {
        let base = self.base();
        let expected = self.expected(&base, files, kept)?;
        let most = MORE_STEPS.saturating_add(expected.steps.saturating_mul(TIMES_STEPS)).min(base.max_steps);
        let base = base.max_steps(most);
        let mut compared = Compared {
            silent: None,
            bits: None,
            lints: Vec::new(),
            open: None,
            executed: Vec::new(),
            of_source: expected.executed.clone(),
            runs: 2,
            instructions: 3 * expected.instructions,
            steps: 3 * expected.steps,
            bytes: 3 * expected.arguments.bytes(),
        };
        self.watch(&base, &expected, &mut compared);
        self.with_other_pattern(&base, &expected, &mut compared);
        let schedules = schedules(expected.instructions).into_iter().filter(|_| self.options.schedules);
        for (schedule, seed) in schedules {
            if compared.bits.is_some() {
                break;
            }
            let seed = self.options.seed.wrapping_add(seed);
            let options = base.clone().poison(true).schedule(schedule).seed(seed);
            compared.runs += 1;
            compared.instructions += expected.instructions;
            compared.steps += expected.steps;
            compared.bytes += expected.arguments.bytes();
            match self.lowered.launch_ranks(self.arena.values(&expected.arguments), &options, &mut []) {
                Ok(outcome) => {
                    compared.bits = self.differs(&base, &expected, contents(outcome), (schedule, seed))
                }
                Err(findings) => compared.bits = Some(self.stops(findings, Some((schedule, seed)))),
            }
        }
        Ok(compared)
    }

    /// Runs the second program in program order, with watchers.
    fn watch(&self, base: &Options, expected: &Expected, compared: &mut Compared) {
        let options = base.clone().poison(true);
        let watchers = WatchOptions { assume_v_chains: self.options.assume_v_chains, ..every(Watchers::ALL) };
        let (outcome, watched) =
            match watch(self.lowered, self.arena.values(&expected.arguments), &options, &watchers) {
                Ok(watched) => watched,
                Err(findings) => {
                    compared.silent = Some(self.stops(findings, None));
                    return;
                }
            };
        let (lints, mut errors): (Vec<_>, Vec<_>) =
            watched.findings.into_iter().partition(|finding| finding.severity == Severity::Lint);
        // Findings of the source program are not attributed to the lowering.
        let known: Vec<(RuleId, String)> = expected.findings.iter().map(kind).collect();
        errors.retain(|finding| !known.contains(&kind(finding)));
        (compared.lints, compared.executed) = (lints, outcome.executed.clone());
        compared.open = self.open(&options, expected).filter(|race| !known.contains(&kind(race)));
        if let Some(first) = errors.first() {
            let message = format!("{}: {}", first.rule, first.message);
            compared.silent = Some(self.fails(message, None, errors));
        }
        compared.bits = self.differs(base, expected, contents(outcome), (Schedule::Program, 0));
    }

    /// A race of the second program if the run assumes that an assembler inserts its synchronization.
    fn open(&self, options: &Options, expected: &Expected) -> Option<Diagnostic> {
        let program = self.lowered;
        let is_left =
            Synchronization::of(program.module(), program.functions()) == Synchronization::Automatic;
        if !is_left || is_for_cpu(program, self.options) {
            return None;
        }
        let watchers = WatchOptions { as_written: true, ..every(Watchers::of(&[Watcher::Race])) };
        let (_, watched) = watch(program, self.arena.values(&expected.arguments), options, &watchers).ok()?;
        watched.findings.into_iter().find(|finding| finding.severity != Severity::Lint)
    }

    /// Runs the second program in program order, with other undefined bytes.
    fn with_other_pattern(&self, base: &Options, expected: &Expected, compared: &mut Compared) {
        if compared.bits.is_some() {
            return;
        }
        let options = base.clone().poison(true).pattern(OTHER_PATTERN);
        let schedule = (Schedule::Program, 0);
        compared.bits =
            match self.lowered.launch_ranks(self.arena.values(&expected.arguments), &options, &mut []) {
                Ok(outcome) => self.differs(base, expected, contents(outcome), schedule),
                Err(findings) => Some(self.stops(findings, Some(schedule))),
            };
        if let Some(found) = &mut compared.bits {
            found.message.push_str(&format!(", with {OTHER_PATTERN:#x} in each byte that nothing wrote"));
        }
    }

    /// Runs the first program.
    fn expected(&self, base: &Options, files: &dyn Files, kept: &mut Kept) -> Result<Expected, Failure> {
        let (ranks, seed) = (self.options.ranks, self.options.seed.wrapping_add(self.situation.seed));
        let mut open: Plan<'_> = plan(self.source, &self.situation.inputs, seed, ranks, base, files)?;
        // Lowering inserts the synchronization within a core that the source omits.
        let watched = base.clone().sync_inserted(true).poison(true);
        loop {
            let arguments = Arguments::of(open.clone().make_from(kept)?.ranks);
            match watch(self.source, self.arena.values(&arguments), &watched, &every(Watchers::ALL)) {
                Ok((outcome, watched)) => {
                    let found = watched.findings.into_iter();
                    let findings: Vec<Diagnostic> =
                        found.filter(|finding| finding.severity != Severity::Lint).collect();
                    // Undefined bytes do not prevent a comparison: they are excluded from it.
                    if self.situation.is_generated && !findings.iter().all(is_about_undefined) {
                        return Err(Failure::Program(findings));
                    }
                    let (instructions, steps) = (outcome.instructions, outcome.steps);
                    let executed = outcome.executed.clone();
                    let (contents, undefined) = (contents(outcome), OnceCell::new());
                    return Ok(Expected {
                        arguments,
                        contents,
                        undefined,
                        findings,
                        executed,
                        instructions,
                        steps,
                    });
                }
                Err(findings)
                    if findings.iter().any(|it| it.rule.rule == &rules::run::OUT_OF_BOUNDS)
                        && (open.bytes() <= MOST_BYTES_VARIED || !self.situation.is_generated)
                        && open.grow() => {}
                Err(findings) => return Err(Failure::Program(findings)),
            }
        }
    }

    fn fails(
        &self,
        message: String,
        schedule: Option<(Schedule, u64)>,
        findings: Vec<Diagnostic>,
    ) -> Counterexample {
        let situation = Some(self.situation.clone());
        Counterexample { message, situation, schedule, findings, difference: None }
    }

    fn stops(&self, findings: Vec<Diagnostic>, schedule: Option<(Schedule, u64)>) -> Counterexample {
        let first =
            findings.first().map_or(String::new(), |first| format!("{}: {}", first.rule, first.message));
        self.fails(format!("the second program stops: {first}"), schedule, findings)
    }

    /// The bytes that the first program leaves undefined: with other unwritten memory, they are others.
    fn undefined<'e>(&self, base: &Options, expected: &'e Expected) -> &'e [Vec<bool>] {
        expected.undefined.get_or_init(|| {
            let mut all = vec![Vec::new(); expected.contents.len()];
            for pattern in [OTHER_PATTERN, 0] {
                let options = base.clone().poison(true).pattern(pattern);
                let run = self.source.launch_ranks(self.arena.values(&expected.arguments), &options, &mut []);
                let run = run.map(contents).unwrap_or_default();
                for (known, (a, b)) in all.iter_mut().zip(expected.contents.iter().zip(&run)) {
                    join(known, unequal(a, b));
                }
            }
            all
        })
    }

    /// The first element that differs, except for undefined bytes.
    fn differs(
        &self,
        base: &Options,
        expected: &Expected,
        got: Contents,
        schedule: (Schedule, u64),
    ) -> Option<Counterexample> {
        let buffers: Vec<(usize, &str, Element)> = self
            .signature
            .arguments
            .iter()
            .enumerate()
            .filter_map(|(at, argument)| match argument.kind {
                ArgumentKind::Buffer(element) => Some((at, argument.name.as_str(), element)),
                _ => None,
            })
            .collect();
        for (at, (want, got)) in expected.contents.iter().zip(&got).enumerate() {
            if is_equal(want, got) {
                continue;
            }
            let mask = self.undefined(base, expected).get(at).map_or(&[][..], Vec::as_slice);
            let is_defined = |byte: &usize| !mask.get(*byte).copied().unwrap_or(false);
            let unequal = |byte: &usize| want[*byte] != got[*byte];
            let length = want.len().min(got.len());
            let Some(first) = (0..length).find(|byte| unequal(byte) && is_defined(byte)) else { continue };
            let bytes = (0..length).filter(|byte| unequal(byte) && is_defined(byte)).count();
            let (argument, name, element) = buffers[at % buffers.len().max(1)];
            let size = element.bytes(1).max(1);
            let index = first / size;
            let text = |bytes: &[u8]| value_text(element, pto_num::get_element(bytes, 0, index, element));
            let difference = Difference {
                argument,
                name: name.to_owned(),
                rank: (at / buffers.len().max(1)) as u32,
                element: index as u64,
                want: text(want),
                got: text(got),
                bytes,
            };
            let message = format!(
                "element {index} of `{name}` is {}, not {}; {bytes} bytes differ",
                difference.got, difference.want
            );
            let mut counterexample = self.fails(message, Some(schedule), Vec::new());
            counterexample.difference = Some(difference);
            return Some(counterexample);
        }
        None
    }
}

fn contents(outcome: Outcome) -> Contents {
    outcome.buffers.into_iter().map(|buffer| buffer.bytes).collect()
}

/// Schedules with seeds for a launch with this number of instructions.
fn schedules(instructions: u64) -> Vec<(Schedule, u64)> {
    let mut all =
        vec![(Schedule::Lazy, 0), (Schedule::Eager, 0), (Schedule::Random, 1), (Schedule::Adversarial, 1)];
    if instructions <= MANY_INSTRUCTIONS {
        all.extend([(Schedule::Random, 2), (Schedule::Adversarial, 2)]);
    }
    all
}

/// The rule of a finding and its message without names, which a tool may change. A read of undefined bytes by the name of its
/// instruction: which bytes are the first depends on where tiles are.
fn kind(finding: &Diagnostic) -> (RuleId, String) {
    if is_about_undefined(finding) {
        return (finding.rule, finding.message.split('`').nth(1).unwrap_or_default().to_owned());
    }
    let outside = finding.message.split('`').step_by(2);
    (finding.rule, outside.collect::<Vec<_>>().join("``"))
}

/// Watch options without a limit on findings: those of both programs are compared.
fn every(watchers: Watchers) -> WatchOptions {
    WatchOptions { max_reports: usize::MAX, ..watchers.into() }
}

/// Whether a finding is about a read of bytes that nothing wrote.
fn is_about_undefined(finding: &Diagnostic) -> bool {
    finding.rule.rule == &rules::init::UNWRITTEN
}

/// Adds differing bytes to the known ones. An empty list means that no byte differs.
fn join(known: &mut Vec<bool>, more: Vec<bool>) {
    match known.is_empty() {
        true => *known = more,
        false => known.iter_mut().zip(more).for_each(|(known, more)| *known |= more),
    }
}

/// Which bytes of two buffers differ; empty if none does.
fn unequal(a: &Storage, b: &Storage) -> Vec<bool> {
    match is_equal(a, b) {
        true => Vec::new(),
        false => a.iter().zip(b).map(|(a, b)| a != b).collect(),
    }
}
