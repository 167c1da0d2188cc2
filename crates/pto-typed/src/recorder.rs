//! A kernel under construction: a builder, the waits of its instructions, and the events for which the next one
//! waits.

use super::event::{Event, Wait, orderable};
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use pto_isa::registry::Op;
use pto_isa::rules;
use pto_lang::build::{Builder, Call, Error, Id};
use pto_lang::ir::{NamedAttribute, Operand};
use std::ops::{Deref, DerefMut};

/// A builder of one function whose instructions have events. A clone is a snapshot, restored if one of several
/// operations fails.
#[derive(Clone)]
pub(super) struct Recorder {
    builder: Builder,
    pub(super) waits: Vec<Wait>,
    pub(super) pending: Vec<Event>,
}

impl Deref for Recorder {
    type Target = Builder;

    fn deref(&self) -> &Builder {
        &self.builder
    }
}

impl DerefMut for Recorder {
    fn deref_mut(&mut self) -> &mut Builder {
        &mut self.builder
    }
}

impl Recorder {
    pub(super) fn new(name: &str, profile: Profile) -> Recorder {
        Recorder { builder: Builder::new(name, profile), waits: Vec::new(), pending: Vec::new() }
    }

    /// The next instruction starts after these.
    pub(super) fn wait_for(&mut self, events: &[Event]) -> Result<(), Error> {
        if events.iter().any(|event| event.kernel != self.serial()) {
            return Err(Error::own(&rules::kernel::FOREIGN_VALUE, "this event belongs to another kernel"));
        }
        self.pending.extend_from_slice(events);
        Ok(())
    }

    /// Appends an instruction after the pending events.
    pub(super) fn issue(&mut self, call: Call<'_>) -> Result<Event, Error> {
        let operands = self.operands(&call)?;
        self.start(call.op, operands, call.attributes)
    }

    /// Appends an instruction with operands in roles after the pending events.
    pub(super) fn issue_in_roles(
        &mut self,
        op: Op,
        operands: &[(&'static str, Id)],
        attributes: Vec<NamedAttribute>,
    ) -> Result<Event, Error> {
        let operands = self.in_roles(operands)?;
        self.start(op, operands, attributes)
    }

    fn start(
        &mut self,
        op: Op,
        operands: Vec<Operand>,
        attributes: Vec<NamedAttribute>,
    ) -> Result<Event, Error> {
        let draft = self.draft(op, operands, &[], attributes)?;
        let pipe = self.site(&draft).map_or(Pipe::Scalar, |site| site.instruction.pipe(&site));
        if let Some(error) = self.pending.iter().find_map(|event| orderable(event.pipe, pipe).err()) {
            return Err(error);
        }
        let (operation, _) = self.commit(draft);
        for event in std::mem::take(&mut self.pending) {
            // A kernel for `cpu` gets the barriers that any device needs.
            let ordered = self.profile().devices.iter().all(|device| device.orders_itself(pipe));
            if event.pipe == pipe && ordered {
                continue;
            }
            let (producer, from) = (event.operation, event.pipe);
            self.waits.push(Wait { producer, from, consumer: operation, to: pipe });
        }
        Ok(Event { kernel: self.serial(), operation, pipe })
    }
}
