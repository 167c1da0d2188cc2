//! Start of a core: arguments of the launch, and queries about the launch.

use super::super::{Core, Machine, Value};
use crate::sim::code::LaunchFact;
use pto_isa::exec::global::NOWHERE;
use pto_isa::exec::registers::Registers;
use pto_isa::exec::state::{Slot, View};

impl Machine<'_> {
    /// Sets up the frame of an entry function. The vector function of a pair takes the cube function's arguments by
    /// position, except those that the launch fills in.
    pub(in crate::sim::machine) fn enter(&self, core: &mut Core, entry: usize) {
        core.registers = Registers::default();
        core.frames.clear();
        core.scalars.clear();
        core.tiles.clear();
        core.views.clear();
        core.arrays.clear();
        core.push_frame(self.program, entry, 0, 0);
        let code = &self.program.functions[entry];
        let function = &self.program.module.functions[code.id.unwrap_or(self.program.entry())];
        let own = &self.program.module.functions[self.program.entry()];
        let fact = |function: &pto_lang::ir::Function, index: usize| {
            function.launch_fact(&self.program.module.types, function.arguments[index].value)
        };
        let (values, addresses) =
            (&self.state.values[core.rank as usize], &self.state.addresses[core.rank as usize]);
        let mut given = (0..values.len()).filter(|index| entry == 0 || fact(own, *index).is_none());
        for (index, slot) in code.arguments.iter().enumerate() {
            let fact = fact(function, index);
            let from = if entry > 0 && fact.is_some() { None } else { given.next() };
            let bits = match from.map(|from| (from, &values[from])) {
                Some((from, Value::Buffer { .. })) => addresses[from],
                Some((_, Value::Peer { rank, argument, offset })) => {
                    self.state.global.moved(self.peer(*rank, *argument), i128::from(*offset))
                }
                Some((_, Value::Scalar(bits))) => *bits,
                Some((_, Value::Launch)) | None => {
                    self.launch_fact(core, fact.unwrap_or(LaunchFact::BlockIndex))
                }
            };
            match slot {
                Slot::Scalar(slot) => core.scalars[*slot as usize] = bits,
                Slot::View(slot) => {
                    core.views[*slot as usize] = self.memref_view(function, index, bits);
                }
                _ => {}
            }
        }
    }

    /// The address of an argument of a rank; [`NOWHERE`] if it does not exist.
    fn peer(&self, rank: u32, argument: usize) -> u64 {
        let address = self.state.addresses.get(rank as usize).and_then(|addresses| addresses.get(argument));
        address.copied().filter(|address| *address != 0).unwrap_or(NOWHERE)
    }

    /// The view of a memref argument: its static shape, row-major.
    fn memref_view(&self, function: &pto_lang::ir::Function, index: usize, address: u64) -> View {
        let ty = function.values[function.arguments[index].value].ty;
        let mut view = View { address, ..View::default() };
        if let pto_lang::ir::Type::MemRef { shape, .. } = &self.program.module.types[ty] {
            let rank = shape.len().min(view.shape.len());
            view.rank = rank as u8;
            let mut stride = 1i64;
            for at in (0..rank).rev() {
                view.shape[at] = shape[at].unwrap_or(1);
                view.strides[at] = stride;
                stride = stride.saturating_mul(view.shape[at] as i64);
            }
        }
        view
    }

    pub(super) fn launch_fact(&self, core: &Core, fact: LaunchFact) -> u64 {
        match fact {
            LaunchFact::BlockIndex => u64::from(core.block),
            LaunchFact::BlockCount => u64::from(self.options.blocks),
            LaunchFact::SubBlockIndex => u64::from(core.vector_core),
            LaunchFact::SubBlockCount => u64::from(core.vector_cores),
        }
    }
}
