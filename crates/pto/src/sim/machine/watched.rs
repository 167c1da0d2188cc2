//! What watchers are told while a program runs.

use super::super::code::{CoreKind, Extent, FlagReach, FunctionCode, PipeStep, SyncStep};
use super::{Core, Frame, Machine};
use crate::isa::pipe::Pipe;

impl Machine<'_> {
    /// A flag, a barrier or a buffer token of a core.
    pub(super) fn order(
        &mut self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        (index, at): (usize, usize),
    ) {
        let Some(watch) = &mut self.watch else { return };
        let by = (frame.function as u32, code.origins[at].index() as u32);
        match code.syncs[index] {
            SyncStep::Flag { sets, from, to, id } => {
                let id = match id {
                    Extent::Fixed(id) => u64::from(id),
                    Extent::Slot(slot) => core.scalars[frame.scalars + slot as usize],
                };
                match sets {
                    true => watch.set_flag(core, (from, to, id), by),
                    false => watch.wait_flag(core, (from, to, id), by),
                }
            }
            SyncStep::Barrier(pipe) => watch.barrier(core, pipe, by),
            SyncStep::Token { acquires, pipe, token } => watch.token(core, pipe, u64::from(token), acquires),
        }
    }

    /// A step of a queue that has just been made.
    pub(super) fn moved_entry(
        &mut self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        (index, at): (usize, usize),
    ) {
        let Some(watch) = &mut self.watch else { return };
        let by = (frame.function as u32, code.origins[at].index() as u32);
        let vectors = self.program.vector_strands() as u32;
        let me = core.kind.index() as u32;
        // Where it is not split, only the first vector core takes part.
        let partners = |split: u8| if split == 0 { 1 } else { vectors };
        match &code.pipes[index] {
            PipeStep::Push { route, tile, ty, .. }
                if core.kind == CoreKind::Cube || me < partners(route.split) =>
            {
                let live = core.tiles[frame.tiles + *tile as usize];
                let pipe = if core.kind == CoreKind::Cube { Pipe::Fixpipe } else { Pipe::Mte3 };
                watch.entry(self.program, core, (ty, live, false), pipe, by);
                let slots = self.pipes.slots(*route);
                watch.pushed(
                    core,
                    (route.id, route.to_vector, me),
                    slots,
                    consumers(route.to_vector, partners(route.split)),
                );
            }
            PipeStep::Commit { route } if core.kind == CoreKind::Cube || me < partners(route.split) => {
                let slots = self.pipes.slots(*route);
                watch.pushed(
                    core,
                    (route.id, route.to_vector, me),
                    slots,
                    consumers(route.to_vector, partners(route.split)),
                );
            }
            PipeStep::Pop { route, to, ty, .. }
                if core.kind == CoreKind::Cube || me < partners(route.split) =>
            {
                let taken = self.pipes.taken(*route, core.kind.index());
                watch.popped(
                    core,
                    (route.id, route.to_vector),
                    taken,
                    producers(route.to_vector, partners(route.split)),
                );
                let live = core.tiles[frame.tiles + *to as usize];
                watch.entry(self.program, core, (ty, live, true), Pipe::Scalar, by);
            }
            PipeStep::Take { route, allocates: false, .. } => {
                let taken = self.pipes.taken(*route, core.kind.index());
                watch.popped(
                    core,
                    (route.id, route.to_vector),
                    taken,
                    producers(route.to_vector, partners(route.split)),
                );
            }
            PipeStep::Take { route, allocates: true, .. } => {
                let slots = self.pipes.slots(*route);
                watch.allocated(
                    core,
                    (route.id, route.to_vector, me),
                    slots,
                    consumers(route.to_vector, partners(route.split)),
                );
            }
            PipeStep::Free { route } => watch.freed(core, (route.id, route.to_vector, me)),
            _ => {}
        }
    }

    /// A flag of other cores that was set or waited for.
    pub(super) fn flagged(
        &mut self,
        core: &Core,
        flag: (FlagReach, u64),
        pipe: Pipe,
        waited: Option<(Vec<(u32, u32, u32)>, u64)>,
    ) {
        let Some(watch) = &mut self.watch else { return };
        match waited {
            None => watch.signalled(core, flag, pipe),
            Some((setters, count)) => watch.heard(core, flag, pipe, (&setters, count)),
        }
    }
}

fn consumers(to_vector: bool, partners: u32) -> u32 {
    if to_vector { partners } else { 1 }
}

fn producers(to_vector: bool, partners: u32) -> u32 {
    if to_vector { 1 } else { partners }
}
