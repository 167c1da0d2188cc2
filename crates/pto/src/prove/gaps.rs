//! Reasons for an unknown verdict: operations that did not run, and inputs that were not given.

use super::verdict::Coverage;
use crate::data::{Failure, Input};
use pto_isa::diag::{Diagnostic, Span};
use pto_isa::meaning::Meaning;
use pto_isa::rules::verify;
use pto_lang::analysis::{Interface, ParameterKind};
use pto_lang::ir::{FunctionId, Operation, OperationId};
use pto_machine::sim::Program;

/// Maximum number of places that one finding shows.
const MOST_LABELS: usize = 6;

impl Coverage {
    /// Coverage of a program, given the execution count of each operation.
    pub(super) fn of(program: &Program, executed: &[Vec<u64>]) -> Coverage {
        let module = program.module();
        let span = |(function, operation): (FunctionId, OperationId)| {
            module.functions[function].operations[operation].span
        };
        let mut idle: Vec<Span> = idle(program, executed).into_iter().map(span).collect();
        idle.sort_by_key(|span| span.start);
        let instructions = program.instructions().count();
        Coverage { instructions, ran: instructions - idle.len(), idle }
    }

    /// The coverage in words.
    pub fn describe(&self, launches: usize) -> String {
        let instructions = if self.instructions == 1 { "instruction" } else { "instructions" };
        let times = if launches == 1 { "launch" } else { "launches" };
        format!("{} of {} {instructions} in {launches} {times}", self.ran, self.instructions)
    }

    /// The finding for instructions of the source that did not run. Its lines are in another text.
    pub(super) fn of_source(&self, launches: usize) -> Option<Diagnostic> {
        let message = format!("compared were {} of the source", self.describe(launches));
        (!self.idle.is_empty()).then(|| Diagnostic::error(&verify::COVERAGE, message))
    }

    /// The finding for instructions that did not run.
    pub(super) fn finding(&self, launches: usize) -> Option<Diagnostic> {
        let mut idle = self.idle.iter();
        let message = format!("compared were {}", self.describe(launches));
        let mut finding = Diagnostic::error(&verify::COVERAGE, message).at_with(*idle.next()?, "did not run");
        for span in idle.clone().take(MOST_LABELS) {
            finding = finding.with_label(*span, "did not run");
        }
        let more = idle.len().saturating_sub(MOST_LABELS);
        Some(match more {
            0 => finding,
            _ => finding.with_note(format!("{more} more did not run")),
        })
    }
}

/// The instructions of a program that did not run.
pub(super) fn idle(program: &Program, executed: &[Vec<u64>]) -> Vec<(FunctionId, OperationId)> {
    let functions: Vec<FunctionId> = program.functions().collect();
    let instructions = program.instructions().filter(|(at, operation)| {
        let runs = executed.get(*at).and_then(|counts| counts.get(operation.index()));
        runs.is_none_or(|runs| *runs == 0)
    });
    instructions.map(|(at, operation)| (functions[at], operation)).collect()
}

/// Inputs on which a failure of the first program depends and that were generated, as a sentence.
pub(super) fn wanted(
    program: &Program,
    interface: &Interface,
    given: &[Input],
    failure: &Failure,
) -> Option<String> {
    let Failure::Program(findings) = failure else { return None };
    let stopped = findings.first()?.primary.as_ref()?.span;
    let (id, operation) = program.functions().find_map(|id| {
        let mut operations = program.module().functions[id].operations.iter();
        operations.find(|(_, operation)| operation.span == stopped).map(|(_, operation)| (id, operation))
    })?;
    let mut arguments: Vec<usize> = operation
        .operands
        .iter()
        .filter(|operand| !is_dividend(operation, operand.role))
        .flat_map(|operand| interface.dependence(id, operand.value))
        .copied()
        .filter(|at| given.iter().all(|input| input.argument != *at))
        .collect();
    arguments.sort_unstable();
    arguments.dedup();
    let name = |at: usize| {
        let parameter = interface.parameters.get(at)?;
        match parameter.kind {
            ParameterKind::Buffer(_) => Some(format!("`%{}` needs contents", parameter.name)),
            ParameterKind::Scalar(_) => Some(format!("`%{}` needs a value", parameter.name)),
            _ => None,
        }
    };
    let names: Vec<String> = arguments.into_iter().filter_map(name).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Whether an operand is the dividend of a division. A dividend cannot stop the division.
fn is_dividend(operation: &Operation, role: &str) -> bool {
    matches!(operation.meaning(), Meaning::Binary(op) if op.divides()) && role == "lhs"
}
