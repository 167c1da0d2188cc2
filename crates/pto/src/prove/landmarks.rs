//! Constants of a program from which values of scalars are made.

use pto_isa::meaning::Meaning;
use pto_lang::analysis::Facts;
use pto_lang::ir::Operation;
use pto_machine::Program;
use std::collections::BTreeSet;

/// Maximum number of loop steps and divisors from which values are made.
const MOST_STEPS: usize = 4;
/// Maximum number of limits from which values are made.
const MOST_LIMITS: usize = 8;
/// An odd value: not a multiple of 2, 4, 8, ...
const ODD: i64 = 37;

/// Constants that a program compares with, steps by or divides by.
#[derive(Default)]
pub(super) struct Landmarks {
    /// Steps of loops, divisors.
    steps: BTreeSet<i64>,
    /// Constants that scalars are compared with, or limited to.
    limits: BTreeSet<i64>,
}

impl Landmarks {
    pub(super) fn of(program: &Program) -> Landmarks {
        let mut marks = Landmarks::default();
        for id in program.functions() {
            let function = &program.module().functions[id];
            let facts = Facts::of(function, &program.module().types);
            for (_, operation) in function.operations.iter() {
                marks.look_at(operation, &facts);
            }
        }
        marks
    }

    fn look_at(&mut self, operation: &Operation, facts: &Facts) {
        let constant = |role| facts.constant(operation.value(role)?);
        match operation.meaning() {
            Meaning::For => self.steps.extend(constant("step").filter(|step| *step > 1)),
            Meaning::Binary(op) if op.divides() => {
                self.steps.extend(constant("rhs").filter(|divisor| *divisor > 1));
            }
            Meaning::Binary(op) if op.limits() => {
                self.limits.extend([constant("lhs"), constant("rhs")].into_iter().flatten());
            }
            Meaning::Compare { float: false } => {
                self.limits.extend([constant("lhs"), constant("rhs")].into_iter().flatten());
            }
            Meaning::Switch => {
                let cases = operation.integers("cases").unwrap_or_default();
                self.limits.extend(cases.into_iter().filter_map(|case| i64::try_from(case).ok()));
            }
            _ => {}
        }
    }

    /// Values that give 0, 1, 2 and 3 rounds, more, and odd rests, and those around limits.
    pub(super) fn values(&self) -> BTreeSet<i64> {
        let mut values: BTreeSet<i64> = (0..=3).chain([ODD]).collect();
        for step in self.steps.iter().take(MOST_STEPS) {
            let times = |count: i64| step.saturating_mul(count);
            values.extend([*step, times(2), times(3), times(3).saturating_sub(step / 2 + 1)]);
            values.insert(times(5).saturating_add(1));
        }
        for limit in self.limits.iter().take(MOST_LIMITS) {
            values.extend([limit.saturating_sub(1), *limit, limit.saturating_add(1)]);
        }
        values
    }
}
