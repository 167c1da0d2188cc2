//! Whether a program is equivalent to another one, of which a tool says that it is the lowered form.

use super::compare::{Compared, Comparison};
use super::gaps::{wanted, without_address, without_order};
use super::situations::{Situation, situations};
use super::verdict::{Counterexample, Coverage, Outcome, Property, Verification, VerifyOptions};
use crate::data::{DataError, Failure, Files, dtype};
use pto_isa::diag::Diagnostic;
use pto_isa::rules::verify;
use pto_lang::analysis::Interface;
use pto_machine::sim::{ArgumentKind, Program, Signature};

/// Tile instructions after which no further situation is tried.
const ENOUGH_INSTRUCTIONS: u64 = 200_000;

/// Verifies that `lowered` computes what `source` computes. Both are programs that a check has passed; arguments
/// correspond by position, and buffers are as large as `source` needs.
///
/// For each situation the first program runs in program order. Where results differ, it runs again with other unwritten memory:
/// bytes that are then others are undefined, and not compared. The second program runs with unwritten memory as ones, once with
/// watchers and then under each schedule, and once with another pattern.
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
        open: without_address(lowered),
        executed: Vec::new(),
        spent: 0,
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
    /// What the second program leaves to another tool.
    open: Option<Diagnostic>,
    /// How often each operation of the second program ran.
    executed: Vec<Vec<u64>>,
    /// Tile instructions of all runs.
    spent: u64,
    /// Why the first program did not run: the first failure, and an input that it wants.
    reason: Option<(String, Option<String>)>,
}

impl Search<'_> {
    /// Compares the programs in situation after situation.
    fn run(&mut self, files: &dyn Files) -> Result<(), DataError> {
        let (first, more) =
            situations(self.source, &self.interface, &self.options.inputs, self.options.blocks);
        for situation in first {
            if self.spent > ENOUGH_INSTRUCTIONS || (self.silent.is_some() && self.bits.is_some()) {
                return Ok(());
            }
            self.compare(&situation, files)?;
        }
        for situation in more {
            let is_enough = self.spent > ENOUGH_INSTRUCTIONS || self.silent.is_some() || self.bits.is_some();
            if is_enough || Coverage::of(self.lowered, &self.executed).idle.is_empty() {
                return Ok(());
            }
            self.compare(&situation, files)?;
        }
        Ok(())
    }

    fn compare(&mut self, situation: &Situation, files: &dyn Files) -> Result<(), DataError> {
        let Search { source, lowered, options, ref signature, .. } = *self;
        match (Comparison { source, lowered, signature, options, situation }).run(files) {
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
        Ok(())
    }

    fn add(&mut self, result: Compared) {
        let found = &mut self.found;
        found.compared += 1;
        found.runs += result.runs;
        found.lints = match found.compared {
            1 => result.lints,
            _ => in_both(std::mem::take(&mut found.lints), &result.lints),
        };
        self.spent += result.instructions;
        if self.executed.is_empty() {
            self.executed = result.executed;
        } else {
            let counts = self.executed.iter_mut().flatten().zip(result.executed.iter().flatten());
            counts.for_each(|(sum, count)| *sum += count);
        }
        self.open = self.open.take().or_else(|| result.open.as_ref().map(without_order));
        self.silent = self.silent.take().or(result.silent);
        self.bits = self.bits.take().or(result.bits);
    }

    /// The verdict on each property.
    fn judged(self) -> Verification {
        let Search { mut found, silent, bits, open, reason, .. } = self;
        found.coverage = Coverage::of(self.lowered, &self.executed);
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
        let idle = found.coverage.finding(found.compared).filter(|_| nothing.is_none());
        let coverage = match (&nothing, &idle) {
            (None, None) => Outcome::Holds,
            _ => Outcome::Unknown(found.coverage.describe(found.compared)),
        };
        found.properties.push((Property::Coverage, coverage));
        found.unknown = nothing.into_iter().chain(open).chain(idle).collect();
        found
    }
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
