//! Verification that a program is equivalent to another one, and is its lowered form.

use super::arena::Arena;
use super::compare::{Compared, Comparison};
use super::gaps::{idle, wanted};
use super::guided::Guide;
use super::situations::{Key, Situation, situations};
use super::unlowered::{is_for_cpu, not_final, without_address, without_order};
use super::verdict::{Counterexample, Coverage, Outcome, Property, Verification, VerifyOptions};
use crate::data::{DataError, Failure, Files, Kept, dtype};
use pto_isa::diag::Diagnostic;
use pto_isa::rules::verify;
use pto_lang::analysis::Interface;
use pto_lang::ir::{FunctionId, OperationId};
use pto_machine::sim::{ArgumentKind, Program, Signature};
use std::collections::BTreeSet;

/// Steps after which no further situation is tried.
const ENOUGH_STEPS: u64 = 400_000_000;
/// Maximum number of situations made for outcomes of comparisons, and for instructions that have not run.
const MOST_OUTCOMES: usize = 16;
const MOST_REACHING: usize = 64;

/// Verifies that `lowered` computes the same as `source`. Both programs have passed a check; arguments correspond by
/// position, and buffers are as large as `source` needs.
///
/// For each situation the first program runs in program order. Where results differ, it runs again with other contents of
/// unwritten memory: bytes that then change are undefined, and not compared. The second program runs with unwritten
/// memory as ones, once with watchers and then under each schedule, and once with another pattern.
///
/// # Errors
/// Inputs that do not fit the first program.
pub fn verify(
    source: &Program,
    lowered: &Program,
    options: &VerifyOptions,
    files: &dyn Files,
) -> Result<Verification, DataError> {
    let signature = Signature::of(source.module(), source.entry()).map_err(DataError::new)?;
    let other = Signature::of(lowered.module(), lowered.entry()).map_err(DataError::new)?;
    if let Some(message) = other_signature(&signature, &other) {
        let counterexample = Counterexample { message, ..Counterexample::default() };
        let mut found = Verification::default();
        found.properties.push((Property::Signature, Outcome::Fails(Box::new(counterexample))));
        let unknown =
            |property| (property, Outcome::Unknown("the programs take different arguments".to_owned()));
        found.properties.extend(Property::ALL.into_iter().skip(1).map(unknown));
        return Ok(found);
    }
    let mut search = Search {
        source,
        lowered,
        options,
        signature,
        interface: source.interface(),
        found: Verification::default(),
        silent: None,
        bits: None,
        open: without_address(lowered).filter(|_| !is_for_cpu(lowered, options)),
        executed: Vec::new(),
        of_source: Vec::new(),
        spent: Spent::default(),
        tried: BTreeSet::new(),
        arena: Arena::default(),
        kept: Kept::default(),
        reason: None,
    };
    search.run(files)?;
    Ok(search.judged())
}

/// A verification under way.
struct Search<'a> {
    source: &'a Program,
    lowered: &'a Program,
    options: &'a VerifyOptions,
    signature: Signature,
    interface: Interface,
    found: Verification,
    silent: Option<Counterexample>,
    bits: Option<Counterexample>,
    /// The finding that the second program still needs another tool, such as one that chooses addresses.
    open: Option<Diagnostic>,
    /// Execution count of each operation of the second program.
    executed: Vec<Vec<u64>>,
    /// Execution count of each operation of the first program.
    of_source: Vec<Vec<u64>>,
    spent: Spent,
    /// The situations that were compared, or skipped.
    tried: BTreeSet<Key>,
    arena: Arena,
    kept: Kept,
    /// Why the first program did not run: the first failure, and an input that it wants.
    reason: Option<(String, Option<String>)>,
}

/// Totals of all runs.
#[derive(Default)]
struct Spent {
    instructions: u64,
    steps: u64,
    bytes: u64,
}

impl Search<'_> {
    /// Compares the programs in one situation after the other, in this order: small values and constants of the programs;
    /// outcomes of comparisons; instructions that have not run; pairs of values.
    fn run(&mut self, files: &dyn Files) -> Result<(), DataError> {
        let (source, lowered, options) = (self.source, self.lowered, self.options);
        let (ours, theirs) = (source.interface(), lowered.interface());
        let guides = [(lowered, &theirs), (source, &ours)]
            .map(|(program, interface)| Guide::of(program, interface, &options.inputs, options.blocks));
        let (first, more) = situations(source, &ours, &options.inputs, options.blocks);
        for situation in first {
            if self.is_enough() || (self.silent.is_some() && self.bits.is_some()) {
                return Ok(());
            }
            self.compare(&situation, files)?;
        }
        let outcomes = guides.iter().flat_map(Guide::outcomes).filter(|one| !self.tried.contains(&one.key()));
        for situation in outcomes.take(MOST_OUTCOMES).collect::<Vec<_>>() {
            if !self.goes_on() {
                return Ok(());
            }
            self.compare(&situation, files)?;
        }
        self.reach(&guides, files)?;
        for situation in more {
            if !self.goes_on() || self.is_covered() {
                return Ok(());
            }
            self.compare(&situation, files)?;
        }
        Ok(())
    }

    /// Compares the programs in situations that are made to reach instructions that have not run, one instruction after
    /// the other.
    fn reach(&mut self, guides: &[Guide<'_>; 2], files: &dyn Files) -> Result<(), DataError> {
        let mut left = MOST_REACHING;
        for (guide, is_source) in guides.iter().zip([false, true]) {
            for (function, operation) in self.idle(is_source) {
                for situation in guide.reach(function, operation) {
                    if !self.goes_on() || left == 0 {
                        return Ok(());
                    }
                    if !self.idle(is_source).contains(&(function, operation)) {
                        break;
                    }
                    if self.compare(&situation, files)? {
                        left -= 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// Operations of the first or the second program that have not run.
    fn idle(&self, is_source: bool) -> Vec<(FunctionId, OperationId)> {
        match is_source {
            true => idle(self.source, &self.of_source),
            false => idle(self.lowered, &self.executed),
        }
    }

    fn is_covered(&self) -> bool {
        [true, false].into_iter().all(|is_source| self.idle(is_source).is_empty())
    }

    fn is_enough(&self) -> bool {
        self.spent.instructions > self.options.most_instructions
            || self.spent.bytes > self.options.most_bytes
            || self.spent.steps > ENOUGH_STEPS
    }

    /// Whether a further situation is tried, after the first ones.
    fn goes_on(&self) -> bool {
        !self.is_enough() && self.silent.is_none() && self.bits.is_none()
    }

    /// Compares the programs in a situation; `false` if that was done before.
    fn compare(&mut self, situation: &Situation, files: &dyn Files) -> Result<bool, DataError> {
        if !self.tried.insert(situation.key()) {
            return Ok(false);
        }
        let Search { source, lowered, options, ref signature, .. } = *self;
        let arena = &self.arena;
        match (Comparison { source, lowered, signature, options, situation, arena })
            .run(files, &mut self.kept)
        {
            Ok(result) => self.add(result),
            Err(Failure::Data(error)) if !options.inputs.is_empty() && !situation.is_generated => {
                return Err(error);
            }
            Err(failure) => {
                self.found.skipped += 1;
                if self.reason.is_none() {
                    let wanted = wanted(source, &self.interface, &options.inputs, &failure);
                    self.reason = Some((sentence(&failure), wanted));
                }
            }
        }
        Ok(true)
    }

    fn add(&mut self, result: Compared) {
        let found = &mut self.found;
        found.compared += 1;
        found.runs += result.runs;
        found.lints = match found.compared {
            1 => result.lints,
            _ => in_both(std::mem::take(&mut found.lints), &result.lints),
        };
        self.spent.instructions += result.instructions;
        self.spent.steps += result.steps;
        self.spent.bytes += result.bytes;
        sum(&mut self.executed, result.executed);
        sum(&mut self.of_source, result.of_source);
        self.open = self.open.take().or_else(|| result.open.as_ref().map(without_order));
        self.silent = self.silent.take().or(result.silent);
        self.bits = self.bits.take().or(result.bits);
    }

    /// The verdict on each property.
    fn judged(self) -> Verification {
        let Search { mut found, silent, bits, mut open, reason, .. } = self;
        if open.is_none() && silent.is_none() && bits.is_none() && !is_for_cpu(self.lowered, self.options) {
            open = not_final(self.lowered);
        }
        found.coverage = Coverage::of(self.lowered, &self.executed);
        found.source = Coverage::of(self.source, &self.of_source);
        found.properties.push((Property::Signature, Outcome::Holds));
        let lowered = open.as_ref().map_or(Outcome::Holds, |open| Outcome::Unknown(open.message.clone()));
        found.properties.push((Property::Lowered, lowered));
        let nothing = (found.compared == 0).then(|| nothing_runs(reason));
        for (property, fails) in [(Property::Silent, silent), (Property::Bits, bits)] {
            let outcome = match (fails, &nothing) {
                (Some(counterexample), _) => Outcome::Fails(Box::new(counterexample)),
                (None, None) => Outcome::Holds,
                (None, Some(why)) => Outcome::Unknown(why.message.clone()),
            };
            found.properties.push((property, outcome));
        }
        let compared = found.compared;
        let idle = [found.coverage.finding(compared), found.source.of_source(compared)];
        let idle: Vec<Diagnostic> = idle.into_iter().flatten().filter(|_| nothing.is_none()).collect();
        let coverage = match nothing.is_none() && idle.is_empty() {
            true => Outcome::Holds,
            false => Outcome::Unknown(found.coverage.describe(compared)),
        };
        found.properties.push((Property::Coverage, coverage));
        found.unknown = nothing.into_iter().chain(open).chain(idle).collect();
        found
    }
}

/// Adds how often operations ran.
fn sum(known: &mut Vec<Vec<u64>>, more: Vec<Vec<u64>>) {
    if known.is_empty() {
        *known = more;
        return;
    }
    known.iter_mut().flatten().zip(more.iter().flatten()).for_each(|(sum, count)| *sum += count);
}

/// The finding if the first program ran in no launch.
fn nothing_runs(reason: Option<(String, Option<String>)>) -> Diagnostic {
    let (why, wanted) = reason.unwrap_or_default();
    let mut message = format!("the first program does not run with any generated input: {why}");
    if let Some(wanted) = &wanted {
        message.push_str(&format!("; {wanted}"));
    }
    let finding = Diagnostic::error(&verify::UNKNOWN, message);
    match wanted {
        Some(_) => finding.with_help("give inputs: `-i NAME=SOURCE`"),
        None => finding,
    }
}

/// The lints of one run that another one has, too: synchronization that one of them needs is not superfluous.
fn in_both(mut one: Vec<Diagnostic>, other: &[Diagnostic]) -> Vec<Diagnostic> {
    one.retain(|lint| other.iter().any(|it| it.rule == lint.rule && it.primary == lint.primary));
    one
}

fn sentence(failure: &Failure) -> String {
    match failure {
        Failure::Data(error) => error.to_string(),
        Failure::Program(findings) => {
            findings.first().map_or(String::new(), |finding| finding.message.clone())
        }
    }
}

/// Why two signatures differ.
fn other_signature(source: &Signature, lowered: &Signature) -> Option<String> {
    let (a, b) = (&source.arguments, &lowered.arguments);
    if a.len() != b.len() {
        return Some(format!(
            "`@{}` takes {} arguments, `@{}` {}",
            source.entry,
            a.len(),
            lowered.entry,
            b.len()
        ));
    }
    let differs = a.iter().zip(b).position(|(a, b)| a.kind != b.kind)?;
    let word = |kind: ArgumentKind| match kind {
        ArgumentKind::Buffer(element) => format!("a buffer of {}", dtype::word(element)),
        ArgumentKind::Scalar(scalar) => format!("a scalar of {}", scalar.word()),
        ArgumentKind::Launch => "filled in by the launch".to_owned(),
    };
    let name = &a[differs].name;
    Some(format!(
        "argument {differs} (`{name}`) is {} here, and {} there",
        word(a[differs].kind),
        word(b[differs].kind)
    ))
}
