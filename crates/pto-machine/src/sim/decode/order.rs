//! Flags, barriers and buffer tokens within a core: no effect in program order, but observers and other schedules
//! use them.

use super::super::code::{Extent, Step, SyncStep, Token};
use super::Decoder;
use pto_isa::pipe::Pipe;
use pto_lang::ir::{Event, OperandGroup, Operation, Order};
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
        steps.into_iter().for_each(|step| self.sync(step));
    }

    fn sync(&mut self, step: SyncStep) {
        self.code.syncs.push(step);
        self.emit(Step::Sync(self.code.syncs.len() as u32 - 1));
    }

    /// Acquires or releases the unit flag that an instruction holds while it runs.
    pub(super) fn unit_flag(&mut self, flag: Option<(u32, Pipe)>, acquires: bool) {
        if let Some((accumulator, pipe)) = flag {
            self.sync(SyncStep::Token { acquires, pipe, token: Token::Unit(accumulator) });
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
        Some(match operation.order()? {
            Order::Flag { sets, from, to, event } => {
                let id = match event {
                    Event::Fixed(number) => Extent::Fixed(number),
                    Event::Computed(number) => Extent::Slot(self.scalar(number)),
                };
                SyncStep::Flag { sets, from, to, id }
            }
            Order::Barrier(pipe) => SyncStep::Barrier(pipe),
            Order::Token { acquires, pipe, token } => {
                SyncStep::Token { acquires, pipe, token: Token::Number(token) }
            }
        })
    }
}
