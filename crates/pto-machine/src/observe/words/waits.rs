//! Waits that should order two accesses, and do not: of another pipe, or for a flag that is not set in between.

use super::{name_of, operation_at};
use crate::sim::Program;
use crate::sim::event::Place;
use pto_isa::diag::{Label, Span};
use pto_isa::pipe::Pipe;
use pto_isa::registry::Op;
use pto_lang::ir::Order;

/// A wait between two accesses of a function.
struct Wait<'p> {
    span: Span,
    source: Pipe,
    event: &'p str,
}

/// The last wait of pipe `to` between two accesses in the text; one for pipe `from` if there is any.
fn between(program: &Program, [first, second]: [Place; 2], [from, to]: [Pipe; 2]) -> Option<Wait<'_>> {
    let (function, earlier) = operation_at(program, first)?;
    let (_, later) = operation_at(program, second).filter(|_| first.function == second.function)?;
    let inside = earlier.span.end..later.span.start;
    let waits = function.operations.iter().filter_map(|(_, operation)| {
        let here = operation.is(Op::WAIT_FLAG) && inside.contains(&operation.span.start);
        let Order::Flag { from: source, to: target, .. } = operation.order().filter(|_| here)? else {
            return None;
        };
        let wait = Wait { span: operation.span, source, event: operation.word("event")? };
        (target == to).then_some(wait)
    });
    waits.max_by_key(|wait| (wait.source == from, wait.span.start))
}

/// Explains a race by a wait that is there and does not order the accesses: a label on the wait, and the help if the wait is of the
/// right pipe. A wait for another pipe orders something else, and stays as it is.
pub(in crate::observe) fn explain(
    program: &Program,
    places: [Place; 2],
    pipes: [Pipe; 2],
) -> Option<(Label, Option<String>)> {
    let Wait { span, source, event } = between(program, places, pipes)?;
    let [from, to] = pipes.map(Pipe::word);
    let first = name_of(program, places[0]);
    if source != pipes[0] {
        let message = format!("this waits for {}, but `{first}` runs on {from}", source.word());
        return Some((Label { span, message }, None));
    }
    let message = format!("the flag of this wait is not set after `{first}`");
    let help = format!("put `pto.set_flag[<PIPE_{from}>, <PIPE_{to}>, <{event}>]` after `{first}`");
    Some((Label { span, message }, Some(help)))
}
