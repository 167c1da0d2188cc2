//! The scalar unit: arithmetic and jumps. A separate interpreter loop that is small enough for program counter and step
//! budget to stay in registers.

use super::{Stop, rule};
use crate::sim::code::Step;
use pto_isa::rules;

/// Whether [`run`] handles a step.
pub(super) fn is_scalar(step: &Step) -> bool {
    matches!(
        step,
        Step::Constant { .. }
            | Step::Copy { .. }
            | Step::Binary { .. }
            | Step::Compare { .. }
            | Step::Cast { .. }
            | Step::Jump(_)
            | Step::Unless { .. }
            | Step::JumpIfEqual { .. }
            | Step::LoopTest { .. }
            | Step::LoopNext { .. }
    )
}

/// Runs steps from `at` on until the first that is not scalar, or until `left` steps have run.
pub(super) fn run(steps: &[Step], scalars: &mut [u64], at: &mut usize, left: &mut u64) -> Result<(), Stop> {
    let (mut here, mut budget) = (*at, *left);
    let done = loop {
        if budget == 0 {
            break Ok(());
        }
        here = match &steps[here] {
            Step::Constant { to, bits } => {
                scalars[*to as usize] = *bits;
                here + 1
            }
            Step::Copy { to, from } => {
                scalars[*to as usize] = scalars[*from as usize];
                here + 1
            }
            Step::Binary { op, width, to, a, b } => {
                match op.apply(*width, scalars[*a as usize], scalars[*b as usize]) {
                    Some(result) => scalars[*to as usize] = result,
                    None => {
                        budget -= 1;
                        break rule(&rules::run::DIVISION_BY_ZERO, "the divisor is zero".into());
                    }
                }
                here + 1
            }
            Step::Compare { op, width, to, a, b } => {
                let holds = op.apply(*width, scalars[*a as usize], scalars[*b as usize]);
                scalars[*to as usize] = u64::from(holds);
                here + 1
            }
            Step::Cast { cast, to, from } => {
                scalars[*to as usize] = cast.apply(scalars[*from as usize]);
                here + 1
            }
            Step::Jump(target) => *target as usize,
            Step::Unless { condition, target } => {
                if scalars[*condition as usize] == 0 {
                    *target as usize
                } else {
                    here + 1
                }
            }
            Step::JumpIfEqual { slot, value, target } => {
                if scalars[*slot as usize] == *value {
                    *target as usize
                } else {
                    here + 1
                }
            }
            Step::LoopTest { at, upper, width, exit } => {
                let (index, upper) = (scalars[*at as usize], scalars[*upper as usize]);
                if width.signed(index) >= width.signed(upper) { *exit as usize } else { here + 1 }
            }
            Step::LoopNext { at, step, width, head } => {
                let before = width.signed(scalars[*at as usize]);
                let next = before.wrapping_add(width.signed(scalars[*step as usize])) as u64;
                // A loop whose counter would overflow ends.
                if width.signed(next) > before {
                    scalars[*at as usize] = width.cut(next);
                    *head as usize
                } else {
                    match &steps[*head as usize] {
                        Step::LoopTest { exit, .. } => *exit as usize,
                        _ => *head as usize + 1,
                    }
                }
            }
            _ => break Ok(()),
        };
        budget -= 1;
    };
    (*at, *left) = (here, budget);
    done
}
