//! Launches that are made to reach an instruction, or an outcome of a comparison.

use super::situations::{Situation, situation};
use crate::data::{Given, Input, Integers, Source, guess};
use pto_isa::meaning::Meaning;
use pto_lang::analysis::{Interface, ParameterKind, Steering, Target, Way};
use pto_lang::ir::{FunctionId, Operation, OperationId, ValueId};
use pto_machine::Program;
use std::collections::HashSet;

/// Finds situations for one program of a comparison.
pub(super) struct Guide<'a> {
    program: &'a Program,
    interface: &'a Interface,
    steering: Steering<'a>,
    given: &'a [Input],
    blocks: Option<u32>,
}

impl<'a> Guide<'a> {
    /// Makes the guide of a program with the arguments of `interface`. The inputs in `given` are fixed, and so is the
    /// number of `blocks` if it is given.
    pub(super) fn of(
        program: &'a Program,
        interface: &'a Interface,
        given: &'a [Input],
        blocks: Option<u32>,
    ) -> Guide<'a> {
        let functions: Vec<FunctionId> = program.functions().collect();
        let base = (0..interface.parameters.len()).map(|at| base(interface, given, at)).collect();
        let steering = Steering::of(program.module(), &functions, interface, base);
        Guide { program, interface, steering, given, blocks }
    }

    /// Situations in which an instruction may run.
    pub(super) fn reach(&self, function: FunctionId, operation: OperationId) -> Vec<Situation> {
        self.situations(self.steering.reach(function, operation))
    }

    /// Situations for both outcomes of choices of values, and of comparisons that decide no branch: every instruction may run without
    /// them.
    pub(super) fn outcomes(&self) -> Vec<Situation> {
        let mut all = Vec::new();
        for id in self.program.functions() {
            let operations = &self.program.module().functions[id].operations;
            let branches: HashSet<ValueId> = operations.iter().filter_map(|(_, it)| decides(it)).collect();
            for (at, operation) in operations.iter() {
                let is_branch = operation.result().is_some_and(|result| branches.contains(&result));
                if !is_branch && matches!(operation.meaning(), Meaning::Select | Meaning::Compare { .. }) {
                    all.extend(self.situations(self.steering.outcomes(id, at)));
                }
            }
        }
        all
    }

    fn situations(&self, ways: Vec<Way>) -> Vec<Situation> {
        ways.iter().filter_map(|way| self.situation(way)).collect()
    }

    /// The launch with these values; `None` if one of them is fixed otherwise, or there are none.
    fn situation(&self, way: &Way) -> Option<Situation> {
        let mut blocks = self.blocks.unwrap_or(1);
        let mut varied: Vec<(usize, Given)> = Vec::new();
        for (target, value) in way {
            let at = match *target {
                Target::Blocks if self.blocks.is_some() => return None,
                Target::Blocks => {
                    blocks = u32::try_from(*value).ok()?;
                    continue;
                }
                Target::Scalar(at) | Target::Contents(at) | Target::Element(at, _) => at,
            };
            if self.given.iter().any(|input| input.argument == at) {
                return None;
            }
            if let Target::Scalar(at) = *target {
                varied.push((at, Given::Source(Source::Scalar(value.to_string()))));
                continue;
            }
            let known = varied.iter_mut().find(|(known, _)| *known == at);
            let integers = match known {
                Some((_, Given::Integers(integers))) => integers,
                _ => {
                    varied.push((at, Given::Integers(Integers::default())));
                    let Some((_, Given::Integers(integers))) = varied.last_mut() else { return None };
                    integers
                }
            };
            match *target {
                Target::Element(_, index) => integers.some.push((index, *value)),
                _ => integers.all = *value,
            }
        }
        let borrowed: Vec<(usize, &Given)> = varied.iter().map(|(at, given)| (*at, given)).collect();
        let situation = situation(self.interface, self.given, blocks, &borrowed);
        (!way.is_empty()).then_some(Situation { is_generated: true, ..situation })
    }
}

/// The value that decides which way an operation goes.
fn decides(operation: &Operation) -> Option<ValueId> {
    match operation.meaning() {
        Meaning::If | Meaning::BranchIf | Meaning::Condition | Meaning::Select => {
            operation.value("condition")
        }
        _ => None,
    }
}

/// The integer that a scalar argument is, if it is not varied.
fn base(interface: &Interface, given: &[Input], at: usize) -> Option<i64> {
    let parameter = &interface.parameters[at];
    let known = given.iter().find(|input| input.argument == at).map(|input| input.given.clone());
    match (parameter.kind, known.or_else(|| guess::input(interface, parameter))?) {
        (ParameterKind::Scalar(_), Given::Source(Source::Scalar(text))) => text.parse().ok(),
        (ParameterKind::Scalar(_), Given::Bits(bits)) => i64::try_from(bits).ok(),
        (ParameterKind::Launch(_), _) => Some(0),
        _ => None,
    }
}
