//! Prints tiles after each run of an operation.

use super::Observer;
use super::words::operation_at;
use crate::exec::state::{Slot, Tile, describe};
use crate::isa::op::site::Fact;
use crate::sim::event::{Event, What, Work};
use crate::sim::operands::Space;
use crate::sim::{Dump, Outcome, Printed, Program};

/// Prints tiles after operations.
pub(super) struct Dumper {
    dumps: Vec<Dump>,
}

impl Dumper {
    pub(super) fn new(dumps: &[Dump]) -> Dumper {
        Dumper { dumps: dumps.to_vec() }
    }
}

/// The tile with a name in the function of an event, as text.
fn text(program: &Program, event: &Event<'_>, work: &Work<'_>, name: &str) -> Option<String> {
    let (code, function) = program.function_at(event.at.function)?;
    code.tiles.iter().find_map(|step| {
        let operation = &function.operations[step.operation];
        let site = code.facts.site(function, &program.module().types, operation, program.profile())?;
        let found = site.operands.iter().zip(&step.slots).find(|(operand, _)| operand.name == name);
        let (operand, Slot::Tile(slot)) = found? else { return None };
        let Fact::Tile(fact) = &operand.fact else { return None };
        let tile = Tile::new(*slot, fact.ty, fact.layout());
        let memory = work.memory.bytes(Space::Chip(event.core.rank, event.core.block));
        Some(describe(memory, work.operands.live(&tile), &tile, name))
    })
}

impl Observer for Dumper {
    fn see(&mut self, program: &Program, event: &Event<'_>, printed: &mut Vec<Printed>) {
        let What::End(work) = &event.what else { return };
        let Some((_, operation)) = operation_at(program, event.at) else { return };
        let start = operation.span.start;
        let here = self.dumps.iter().filter(|dump| (dump.from..dump.to).contains(&start));
        printed.extend(here.filter_map(|dump| text(program, event, work, &dump.tile)));
    }

    fn finish(self: Box<Self>, _: &Program, _: &mut Outcome) {}
}
