//! What watchers are told while a program runs.

use super::super::code::{CoreKind, Extent, FlagReach, FunctionCode, PipeStep, Route, SyncStep};
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
            SyncStep::Token { acquires, pipe, token } => {
                watch.token(core, pipe, (u64::from(token), acquires), by);
            }
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
        let (cube, me) = (core.kind == CoreKind::Cube, core.kind.index() as u32);
        let vectors = self.program.vector_strands() as u32;
        // Where a queue is not split, only the first vector core takes part.
        let partners = |route: &Route| if route.split == 0 { 1 } else { vectors };
        let consumers = |route: &Route| if route.to_vector { partners(route) } else { 1 };
        let producers = |route: &Route| if route.to_vector { 1 } else { partners(route) };
        let takes_part = |route: &Route| cube || me < partners(route);
        match &code.pipes[index] {
            PipeStep::Push { route, tile, ty, .. } if takes_part(route) => {
                let live = core.tiles[frame.tiles + *tile as usize];
                let pipe = if cube { Pipe::Fixpipe } else { Pipe::Mte3 };
                watch.entry(self.program, core, (ty, live, false), pipe, by);
                let queue = (route.id, route.to_vector, me);
                watch.pushed(core, queue, self.pipes.slots(*route), consumers(route));
            }
            PipeStep::Commit { route } if takes_part(route) => {
                let queue = (route.id, route.to_vector, me);
                watch.pushed(core, queue, self.pipes.slots(*route), consumers(route));
            }
            PipeStep::Take { route, allocates: true, .. } => {
                let queue = (route.id, route.to_vector, me);
                watch.allocated(core, queue, self.pipes.slots(*route), consumers(route));
            }
            PipeStep::Take { route, allocates: false, .. } => {
                let taken = self.pipes.taken(*route, core.kind.index());
                watch.popped(core, (route.id, route.to_vector), taken, producers(route));
            }
            PipeStep::Pop { route, to, ty, .. } if takes_part(route) => {
                let taken = self.pipes.taken(*route, core.kind.index());
                watch.popped(core, (route.id, route.to_vector), taken, producers(route));
                let live = core.tiles[frame.tiles + *to as usize];
                watch.entry(self.program, core, (ty, live, true), Pipe::Scalar, by);
            }
            PipeStep::Free { route } => {
                let queue = (route.id, route.to_vector, me);
                watch.freed(core, queue, self.pipes.slots(*route));
            }
            _ => {}
        }
    }

    /// A flag of other cores was set by way of a pipe.
    pub(super) fn flag_set(&mut self, core: &Core, flag: (FlagReach, u64), pipe: Pipe) {
        if let Some(watch) = &mut self.watch {
            watch.signalled(core, flag, pipe);
        }
    }

    /// A pipe has waited for the `count`th time that each of these cores set a flag.
    pub(super) fn flag_taken(
        &mut self,
        core: &Core,
        flag: (FlagReach, u64),
        pipe: Pipe,
        (setters, count): (&[(u32, u32, u32)], u64),
    ) {
        if let Some(watch) = &mut self.watch {
            watch.heard(core, flag, pipe, (setters, count));
        }
    }
}
