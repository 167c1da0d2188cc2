//! Flags, barriers and buffer tokens within a core: nothing to run in program order, but what watchers follow.

use super::super::code::{Extent, Step, SyncStep};
use super::Decoder;
use crate::ir::{Attribute, Operation};
use crate::isa::meaning::Meaning;
use crate::isa::pipe::{EventId, Pipe};

impl Decoder<'_> {
    /// An operation that orders pipes.
    pub(super) fn order(&mut self, operation: &Operation) {
        let step = self.order_step(operation);
        match step {
            Some(step) => {
                self.code.syncs.push(step);
                self.emit(Step::Sync(self.code.syncs.len() as u32 - 1));
            }
            None => {
                self.emit(Step::Nothing);
            }
        }
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

/// The pipe that an operation names by the attribute of its page.
fn own_pipe(operation: &Operation) -> Option<Pipe> {
    operation.pipe(operation.instruction()?.pipe_attribute()?)
}

/// The number of an event, as a word or as a number.
fn event(attribute: &Attribute) -> Option<u32> {
    let word = attribute.as_word().and_then(EventId::from_word).map(|id| u32::from(id.number()));
    word.or_else(|| u32::try_from(attribute.as_integer()?).ok())
}
