//! Loops of the program around operations: accesses of two iterations, and the synchronization between iterations.

use super::{edits, free_event, name_of, operation_at};
use crate::sim::Program;
use crate::sim::event::Place;
use pto_isa::diag::{Edit, Span};
use pto_isa::meaning::Meaning;
use pto_isa::pipe::Pipe;
use pto_lang::ir::flow::Flow;
use pto_lang::ir::{Function, OperationId};

/// The operation at a place.
pub(in crate::observe) fn id_at(function: &Function, place: Place) -> Option<OperationId> {
    let mut ids = function.operations.iter().map(|(id, _)| id);
    ids.find(|id| id.index() == place.operation as usize)
}

fn is_loop(function: &Function, id: OperationId) -> bool {
    matches!(function.operations[id].meaning(), Meaning::For | Meaning::While)
}

/// Whether an operation is inside a loop of its function.
pub(in crate::observe) fn in_loop(program: &Program, place: Place) -> bool {
    let Some((function, _)) = operation_at(program, place) else { return false };
    let Some(id) = id_at(function, place) else { return false };
    Flow::of(function).around(id).any(|outer| is_loop(function, outer))
}

/// Two accesses of one loop, the first one of an earlier iteration: it does not precede the second one in the text.
pub(in crate::observe) struct Carried<'p> {
    program: &'p Program,
    function: &'p Function,
    flow: Flow,
    /// The innermost loop around both.
    around: OperationId,
    accesses: [OperationId; 2],
    places: [Place; 2],
}

impl<'p> Carried<'p> {
    pub(in crate::observe) fn of(program: &'p Program, places: [Place; 2]) -> Option<Carried<'p>> {
        let (function, _) =
            operation_at(program, places[0]).filter(|_| places[0].function == places[1].function)?;
        let accesses = [id_at(function, places[0])?, id_at(function, places[1])?];
        let flow = Flow::of(function);
        let order = |id: OperationId| flow.operations().iter().position(|other| *other == id);
        if order(accesses[0])? < order(accesses[1])? {
            return None;
        }
        let both =
            |id: &OperationId| is_loop(function, *id) && flow.around(accesses[1]).any(|other| other == *id);
        let around = flow.around(accesses[0]).find(both)?;
        Some(Carried { program, function, flow, around, accesses, places })
    }

    /// The help: where the barrier, or the sets and waits of a flag, go.
    pub(in crate::observe) fn remedy(&self, [from, to]: [Pipe; 2]) -> String {
        let [first, second] = self.places.map(|place| name_of(self.program, place));
        let (a, b) = (from.word(), to.word());
        if from == to {
            let before = if first == second { "this" } else { "that" };
            return format!(
                "put `pto.barrier <PIPE_{a}>` before `{second}` in the loop: `{first}` of the iteration before {before} is to end first"
            );
        }
        let flag = match free_event(self.program, from, to) {
            Some(id) => format!("[<PIPE_{a}>, <PIPE_{b}>, <EVENT_ID{id}>]"),
            None => format!("[<PIPE_{a}>, <PIPE_{b}>, ...]` (the program uses all eight events) `"),
        };
        format!(
            "`{first}` is of an earlier iteration of the loop: put `pto.set_flag{flag}` once before the loop, \
             `pto.wait_flag` of that flag before `{second}` and `pto.set_flag` after `{first}` in the loop, and \
             `pto.wait_flag` once after the loop; see `pto explain flag`"
        )
    }

    /// The insertions of that help; none if a place for them is not certain.
    pub(in crate::observe) fn edits(&self, pipes: [Pipe; 2]) -> Vec<Edit> {
        self.insertions(pipes).unwrap_or_default()
    }

    fn insertions(&self, [from, to]: [Pipe; 2]) -> Option<Vec<Edit>> {
        let [first, second] = self.accesses.map(|access| self.in_body(access));
        let (first, second) = (first?, second?);
        let (a, b) = (from.word(), to.word());
        if from == to {
            return Some(vec![self.before(second, &format!("pto.barrier <PIPE_{a}>"))?]);
        }
        // The condition of `scf.while` runs once more than its body.
        if self.function.operations[self.around].meaning() != Meaning::For {
            return None;
        }
        let id = free_event(self.program, from, to)?;
        let [set, wait] = ["set_flag", "wait_flag"]
            .map(|name| format!("pto.{name}[<PIPE_{a}>, <PIPE_{b}>, <EVENT_ID{id}>]"));
        Some(vec![
            self.before(self.around, &set)?,
            self.before(second, &wait)?,
            self.after(first, &set)?,
            self.after(self.around, &wait)?,
        ])
    }

    /// The operation of the loop's body that is or contains an access.
    fn in_body(&self, access: OperationId) -> Option<OperationId> {
        let outer = std::iter::once(access).chain(self.flow.around(access));
        outer.into_iter().find(|id| self.flow.parent(*id) == Some(self.around))
    }

    fn before(&self, id: OperationId, line: &str) -> Option<Edit> {
        let (block, _) = self.flow.place(id)?;
        let indent = "  ".repeat(edits::depth(self.function, block));
        let start = self.function.operations[id].span.start;
        Some(Edit { span: Span::new(start, start), replacement: format!("{line}\n{indent}") })
    }

    fn after(&self, id: OperationId, line: &str) -> Option<Edit> {
        let (block, _) = self.flow.place(id)?;
        let indent = "  ".repeat(edits::depth(self.function, block));
        let end = self.function.operations[id].span.end;
        Some(Edit { span: Span::new(end, end), replacement: format!("\n{indent}{line}") })
    }
}
