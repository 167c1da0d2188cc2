//! Flags, barriers and buffer tokens within a core: no effect in program order, but observers and other schedules
//! use them.

use super::super::code::{Extent, Step, SyncStep};
use super::Decoder;
use crate::ir::{Attribute, OperandGroup, Operation};
use crate::isa::meaning::Meaning;
use crate::isa::pipe::{EventId, Pipe};
use std::collections::BTreeSet;

impl Decoder<'_> {
    /// Decodes an operation that orders pipes.
    pub(super) fn order(&mut self, operation: &Operation) {
        let step = self.order_step(operation);
        let values = self.makers(operation).into_iter().map(SyncStep::Behind);
        let steps: Vec<_> = step.into_iter().chain(values).collect();
        if steps.is_empty() {
            self.emit(Step::Nothing);
        }
        for step in steps {
            self.code.syncs.push(step);
            self.emit(Step::Sync(self.code.syncs.len() as u32 - 1));
        }
    }

    /// The pipes of the instructions that define the values for which an operation waits.
    fn makers(&self, operation: &Operation) -> BTreeSet<Pipe> {
        let values = operation.operands.iter().filter(|operand| operand.role == "values");
        let values: Vec<_> = values.map(|operand| operand.value).collect();
        let makes = |other: &&Operation| {
            let outs = other.operands.iter().filter(|operand| operand.group == OperandGroup::Out);
            outs.map(|operand| &operand.value).chain(&other.results).any(|value| values.contains(value))
        };
        let pipe = |other: &Operation| {
            let site = self.facts.site(self.function, &self.module.types, other, self.profile)?;
            Some(site.instruction.pipe(&site))
        };
        let operations = self.function.operations.iter().map(|(_, other)| other);
        if values.is_empty() { BTreeSet::new() } else { operations.filter(makes).filter_map(pipe).collect() }
    }

    fn order_step(&mut self, operation: &Operation) -> Option<SyncStep> {
        match operation.meaning() {
            Meaning::Flag { sets, .. } => {
                let (from, to) = (operation.pipe("src")?, operation.pipe("dst")?);
                let id = match operation.operand("event") {
                    Some(operand) => Extent::Slot(self.scalar(operand.value)),
                    None => Extent::Fixed(event(operation.attribute("event")?)?),
                };
                Some(SyncStep::Flag { sets, from, to, id })
            }
            Meaning::Barrier => Some(SyncStep::Barrier(own_pipe(operation)?)),
            Meaning::Token { acquires } => {
                let token = operation.integer("id").and_then(|id| u32::try_from(id).ok())?;
                Some(SyncStep::Token { acquires, pipe: own_pipe(operation)?, token })
            }
            _ => None,
        }
    }
}

/// The pipe in the attribute of an operation.
fn own_pipe(operation: &Operation) -> Option<Pipe> {
    operation.pipe(operation.instruction()?.pipe_attribute()?)
}

/// The number of an event, written as a word or an integer.
fn event(attribute: &Attribute) -> Option<u32> {
    let word = attribute.as_word().and_then(EventId::from_word).map(|id| u32::from(id.number()));
    word.or_else(|| u32::try_from(attribute.as_integer()?).ok())
}
