//! Changes of a function's text, each with its words.

use crate::sim::Program;
use crate::sim::code::FunctionCode;
use crate::sim::event::{FlagKey, Place};
use pto_isa::diag::{Edit, Proposal, Span};
use pto_isa::meaning::Meaning;
use pto_isa::pipe::{EVENT_IDS, Pipe};
use pto_lang::ir::flow::Flow;
use pto_lang::ir::{BlockId, Event, Function, Operation, OperationId, Order};
use std::collections::BTreeSet;

/// The operation at a place.
pub(in crate::observe) fn id_at(function: &Function, place: Place) -> Option<OperationId> {
    let mut ids = function.operations.iter().map(|(id, _)| id);
    ids.find(|id| id.index() == place.operation as usize)
}

/// Whether an operation is a loop.
pub(in crate::observe) fn is_loop(function: &Function, id: OperationId) -> bool {
    matches!(function.operations[id].meaning(), Meaning::For | Meaning::While)
}

/// `[<PIPE_V>, <PIPE_MTE3>, <EVENT_ID0>]`.
fn flag(FlagKey { from, to, id }: FlagKey) -> String {
    format!("[<PIPE_{}>, <PIPE_{}>, <EVENT_ID{id}>]", from.word(), to.word())
}

/// The operation that sets a flag.
pub(super) fn set(key: FlagKey) -> String {
    format!("pto.set_flag{}", flag(key))
}

/// The operation that waits for a flag.
pub(super) fn wait(key: FlagKey) -> String {
    format!("pto.wait_flag{}", flag(key))
}

/// A barrier of a pipe.
pub(super) fn barrier(pipe: Pipe) -> String {
    format!("pto.barrier <PIPE_{}>", pipe.word())
}

/// A function in which changes are drafted.
pub(super) struct Drafts<'p> {
    pub(super) program: &'p Program,
    code: &'p FunctionCode,
    pub(super) function: &'p Function,
    pub(super) flow: Flow,
    /// The sets of flags and the waits for them, in the order of the text: operation, whether it sets, flag. Flags with computed
    /// numbers are not among them.
    pub(super) flags: Vec<(OperationId, bool, FlagKey)>,
    /// Whether the program computes event numbers: then no number is certainly free.
    pub(super) computes_events: bool,
    /// Position of each operation in the order of the text, by index.
    positions: Vec<usize>,
}

/// A change as it is put together: its clauses and its edits.
#[derive(Clone, Default)]
pub(super) struct Draft {
    clauses: Vec<String>,
    edits: Vec<Edit>,
    last_resort: bool,
}

impl<'p> Drafts<'p> {
    pub(super) fn of(program: &'p Program, place: Place) -> Option<Drafts<'p>> {
        let (code, function) = program.function_at(place.function)?;
        let flow = Flow::of(function);
        let (mut flags, mut computes_events) = (Vec::new(), false);
        for id in flow.operations() {
            match function.operations[*id].order() {
                Some(Order::Flag { sets, from, to, event: Event::Fixed(event) }) => {
                    flags.push((*id, sets, FlagKey { from, to, id: event.into() }));
                }
                Some(Order::Flag { .. }) => computes_events = true,
                _ => {}
            }
        }
        let mut positions = vec![usize::MAX; function.operations.len()];
        for (at, id) in flow.operations().iter().enumerate() {
            positions[id.index()] = at;
        }
        Some(Drafts { program, code, function, flow, flags, computes_events, positions })
    }

    pub(super) fn operation(&self, id: OperationId) -> &'p Operation {
        &self.function.operations[id]
    }

    /// The flag between two pipes with the least number that no operation of the program uses.
    pub(super) fn free_flag(&self, from: Pipe, to: Pipe) -> Option<FlagKey> {
        if self.computes_events {
            return None;
        }
        let mut used = BTreeSet::new();
        for id in self.program.functions() {
            for (_, operation) in self.program.module().functions[id].operations.iter() {
                match operation.order() {
                    Some(Order::Flag { from: a, to: b, event: Event::Fixed(id), .. })
                        if (a, b) == (from, to) =>
                    {
                        used.insert(id);
                    }
                    _ => {}
                }
            }
        }
        let free = (0..u32::from(EVENT_IDS)).find(|id| !used.contains(id))?;
        Some(FlagKey { from, to, id: free.into() })
    }

    /// The loops around an operation, innermost first.
    pub(super) fn loops_around(&self, id: OperationId) -> impl Iterator<Item = OperationId> {
        self.flow.around(id).filter(|outer| is_loop(self.function, *outer))
    }

    /// The operation of a block that is or contains an operation.
    pub(super) fn within(&self, block: BlockId, id: OperationId) -> Option<OperationId> {
        let mut outer = std::iter::once(id).chain(self.flow.around(id));
        outer.find(|id| self.flow.place(*id).is_some_and(|(of, _)| of == block))
    }

    /// The operations of the block of an operation that follow it.
    pub(super) fn behind(&self, id: OperationId) -> &'p [OperationId] {
        let Some((block, at)) = self.flow.place(id) else { return &[] };
        &self.function.blocks[block].operations[at + 1..]
    }

    /// The operations of the block of an operation before it.
    pub(super) fn ahead(&self, id: OperationId) -> &'p [OperationId] {
        let Some((block, at)) = self.flow.place(id) else { return &[] };
        &self.function.blocks[block].operations[..at]
    }

    /// Position of an operation in the order of the text.
    pub(super) fn order(&self, id: OperationId) -> usize {
        self.positions[id.index()]
    }

    /// Whether an operation, or one in its regions, runs on a pipe.
    pub(super) fn runs_on(&self, id: OperationId, pipe: Pipe) -> bool {
        // An operation precedes those in its regions, which end where one of another block follows.
        let start = self.positions[id.index()].min(self.flow.operations().len());
        let depth = self.flow.around(id).count();
        let is_inside = |other: &&OperationId| **other == id || self.flow.around(**other).count() > depth;
        self.flow.operations()[start..].iter().take_while(is_inside).any(|other| {
            let operation = self.operation(*other);
            operation.order().is_none() && self.pipe_of(operation) == Some(pipe)
        })
    }

    /// The last operation between two of a block that runs on a pipe, or the first one.
    pub(super) fn last_on(&self, pipe: Pipe, first: OperationId, last: OperationId) -> OperationId {
        let between = self.behind(first).iter().take_while(|id| **id != last);
        between.filter(|id| self.runs_on(**id, pipe)).last().copied().unwrap_or(first)
    }

    /// The first operation between two of a block that runs on a pipe, or the second one.
    pub(super) fn first_on(&self, pipe: Pipe, first: OperationId, last: OperationId) -> OperationId {
        let mut between = self.behind(first).iter().take_while(|id| **id != last);
        between.find(|id| self.runs_on(**id, pipe)).copied().unwrap_or(last)
    }

    fn pipe_of(&self, operation: &Operation) -> Option<Pipe> {
        let types = &self.program.module().types;
        let site = self.code.facts.site(self.function, types, operation, self.program.profile())?;
        Some(site.instruction.pipe(&site))
    }

    fn indent(&self, id: OperationId) -> String {
        "  ".repeat(1 + self.flow.around(id).count())
    }
}

impl Draft {
    /// Inserts a line before an operation.
    pub(super) fn before(mut self, drafts: &Drafts<'_>, id: OperationId, line: &str) -> Draft {
        let start = drafts.operation(id).span.start;
        let replacement = format!("{line}\n{}", drafts.indent(id));
        self.edits.push(Edit { span: Span::new(start, start), replacement });
        self.put(line, "before", drafts, id)
    }

    /// Inserts a line after an operation: before the next one of its block, so that a comment at the end of its line stays there.
    pub(super) fn after(mut self, drafts: &Drafts<'_>, id: OperationId, line: &str) -> Draft {
        let edit = match drafts.behind(id).first() {
            Some(next) => {
                let start = drafts.operation(*next).span.start;
                let replacement = format!("{line}\n{}", drafts.indent(id));
                Edit { span: Span::new(start, start), replacement }
            }
            None => {
                let end = drafts.operation(id).span.end;
                Edit { span: Span::new(end, end), replacement: format!("\n{}{line}", drafts.indent(id)) }
            }
        };
        self.edits.push(edit);
        self.put(line, "after", drafts, id)
    }

    fn put(mut self, line: &str, relation: &str, drafts: &Drafts<'_>, id: OperationId) -> Draft {
        let at = match is_loop(drafts.function, id) {
            true => "the loop".to_owned(),
            false => format!("`{}`", drafts.operation(id).short_name()),
        };
        self.clauses.push(format!("put `{line}` {relation} {at}"));
        self
    }

    /// Writes another line instead of an operation.
    pub(super) fn instead(mut self, drafts: &Drafts<'_>, id: OperationId, line: &str) -> Draft {
        let operation = drafts.operation(id);
        self.edits.push(Edit { span: operation.span, replacement: line.to_owned() });
        self.clauses.push(format!("write `{line}` instead of this `{}`", operation.short_name()));
        self
    }

    /// Removes an operation.
    pub(super) fn without(mut self, drafts: &Drafts<'_>, id: OperationId) -> Draft {
        let operation = drafts.operation(id);
        self.edits.push(Edit { span: operation.span, replacement: String::new() });
        self.clauses.push(format!("remove `{}`", operation.short_name()));
        self
    }

    /// The change, with words about it in the end.
    pub(super) fn because(mut self, words: &str) -> Proposal {
        let last = self.clauses.pop().unwrap_or_default();
        let first = self.clauses.join(", ");
        let help = if first.is_empty() { last } else { format!("{first}, and {last}") };
        Proposal { help: format!("{help}{words}"), edits: self.edits, last_resort: self.last_resort }
    }

    /// The change, if no other one helps.
    pub(super) fn at_last(self) -> Draft {
        Draft { last_resort: true, ..self }
    }
}

impl From<Draft> for Proposal {
    fn from(draft: Draft) -> Proposal {
        draft.because("")
    }
}
