//! Waits that should order two accesses, and do not: of another pipe, or for a flag that is not set in between.

use super::{name_of, operation_at};
use crate::sim::Program;
use crate::sim::event::Place;
use pto_isa::diag::{Label, Span};
use pto_isa::pipe::Pipe;
use pto_isa::registry::Op;
use pto_lang::ir::Order;

/// A wait between two accesses of a function.
struct Wait {
    span: Span,
    source: Pipe,
}

/// The last wait of pipe `to` between two accesses in the text; one for pipe `from` if there is any.
fn between(program: &Program, [first, second]: [Place; 2], [from, to]: [Pipe; 2]) -> Option<Wait> {
    let (function, earlier) = operation_at(program, first)?;
    let (_, later) = operation_at(program, second).filter(|_| first.function == second.function)?;
    let inside = earlier.span.end..later.span.start;
    let waits = function.operations.iter().filter_map(|(_, operation)| {
        let here = operation.is(Op::WAIT_FLAG) && inside.contains(&operation.span.start);
        let Order::Flag { from: source, to: target, .. } = operation.order().filter(|_| here)? else {
            return None;
        };
        let wait = Wait { span: operation.span, source };
        (target == to).then_some(wait)
    });
    waits.max_by_key(|wait| (wait.source == from, wait.span.start))
}

/// A label on a wait that stands between two accesses and does not order them.
pub(in crate::observe) fn between_accesses(
    program: &Program,
    places: [Place; 2],
    pipes: [Pipe; 2],
) -> Option<Label> {
    let Wait { span, source } = between(program, places, pipes)?;
    let from = pipes[0].word();
    let first = name_of(program, places[0]);
    let message = match source == pipes[0] {
        true => format!("the flag of this wait is not set after `{first}`"),
        false => format!("this waits for {}, but `{first}` runs on {from}", source.word()),
    };
    Some(Label { span, message })
}
