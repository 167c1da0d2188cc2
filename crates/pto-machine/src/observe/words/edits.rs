//! Edits that fix findings about synchronization; none if a fix needs a decision.

use super::loops::id_at;
use super::{free_event, operation_at};
use crate::sim::Program;
use crate::sim::event::Place;
use pto_isa::diag::{Edit, Span};
use pto_isa::pipe::Pipe;
use pto_isa::registry::Op;
use pto_lang::ir::{BlockId, Function, Operation, OperationId, Spelling};

/// Deletes a barrier, or a wait and the set of its flag if its block contains only these two uses of the flag.
pub(in crate::observe) fn deletion(program: &Program, at: Place) -> Vec<Edit> {
    let Some((function, operation)) = operation_at(program, at) else { return Vec::new() };
    let delete = |operation: &Operation| Edit { span: operation.span, replacement: String::new() };
    if operation.is(Op::BARRIER) {
        return vec![delete(operation)];
    }
    if !operation.is(Op::WAIT_FLAG) {
        return Vec::new();
    }
    let mut uses = Vec::new();
    for (id, other) in function.operations.iter().filter(|(_, other)| pipes(other) == pipes(operation)) {
        if other.is_one_of(&[Op::SET_FLAG_DYN, Op::WAIT_FLAG_DYN]) {
            return Vec::new();
        }
        if other.is_one_of(&[Op::SET_FLAG, Op::WAIT_FLAG]) && event(other) == event(operation) {
            uses.push((id, other));
        }
    }
    match uses.as_slice() {
        [(set, a), (wait, b)] if a.is(Op::SET_FLAG) && b.is(Op::WAIT_FLAG) => {
            let together = block_of(function, *set) == block_of(function, *wait);
            if together { vec![delete(a), delete(b)] } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

/// Replaces a barrier of all pipes by that of one.
pub(in crate::observe) fn narrowed(program: &Program, at: Place, pipe: Pipe) -> Option<Edit> {
    let (_, operation) = operation_at(program, at)?;
    let plain = operation.is(Op::BARRIER)
        && operation.spelling == Spelling::Standard
        && operation.attributes.len() == 1
        && operation.location.is_none();
    let replacement = format!("{} <PIPE_{}>", operation.name, pipe.word());
    plain.then_some(Edit { span: operation.span, replacement })
}

/// Orders two instructions of one block by a barrier or a flag. The set is inserted before the instruction that follows the
/// first one, so that a comment at the end of the first one's line stays there.
pub(in crate::observe) fn ordering(
    program: &Program,
    [first, second]: [Place; 2],
    [from, to]: [Pipe; 2],
) -> Vec<Edit> {
    edits(program, [first, second], [from, to]).unwrap_or_default()
}

fn edits(program: &Program, [first, second]: [Place; 2], [from, to]: [Pipe; 2]) -> Option<Vec<Edit>> {
    let (function, _) = operation_at(program, first).filter(|_| first.function == second.function)?;
    let (first, second) = (id_at(function, first)?, id_at(function, second)?);
    let block = block_of(function, first)?;
    let operations = &function.blocks[block].operations;
    let position = |id: OperationId| operations.iter().position(|other| *other == id);
    let (start, end) = (position(first)?, position(second)?);
    if start >= end {
        return None;
    }
    let indent = "  ".repeat(depth(function, block));
    let before = |at: usize, line: String| {
        let place = function.operations[operations[at]].span.start;
        Edit { span: Span::new(place, place), replacement: format!("{line}\n{indent}") }
    };
    let (a, b) = (from.word(), to.word());
    if from == to {
        return Some(vec![before(end, format!("pto.barrier <PIPE_{a}>"))]);
    }
    let id = free_event(program, from, to)?;
    let line = |name: &str| format!("pto.{name}[<PIPE_{a}>, <PIPE_{b}>, <EVENT_ID{id}>]");
    Some(vec![before(start + 1, line("set_flag")), before(end, line("wait_flag"))])
}

fn pipes(operation: &Operation) -> Option<(&str, &str)> {
    operation.word("src").zip(operation.word("dst"))
}

fn event(operation: &Operation) -> Option<&str> {
    operation.word("event")
}

/// The block of an operation.
fn block_of(function: &Function, id: OperationId) -> Option<BlockId> {
    let mut blocks = function.blocks.iter();
    blocks.find(|(_, block)| block.operations.contains(&id)).map(|(id, _)| id)
}

/// Nesting depth of a block; 1 for an outermost one.
pub(in crate::observe) fn depth(function: &Function, block: BlockId) -> usize {
    let holds = |operation: &Operation| {
        operation.regions.iter().any(|region| function.regions[*region].blocks.contains(&block))
    };
    let around = function.operations.iter().find(|(_, operation)| holds(operation));
    let outer = around.and_then(|(id, _)| block_of(function, id));
    1 + outer.map_or(0, |outer| depth(function, outer))
}
