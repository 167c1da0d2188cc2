//! What observers are told while a program runs.

use super::super::code::{Extent, FunctionCode, PipeStep, Route, SyncStep};
use super::super::event::{CoreId, Event, FlagKey, Memory, Place, QueueEnd, Run, Touched, What, Work};
use super::super::footprint::Touch;
use super::super::operands::{Operands, Space};
use super::super::region::of_tile;
use super::{Core, CoreKind, Frame, Machine};
use crate::isa::Buffer;
use crate::isa::op::effect::Access;
use crate::isa::op::state::{Live, View};
use crate::isa::pipe::Pipe;
use crate::isa::tile::TileType;

impl Core {
    /// What tells this core from others.
    pub(in crate::sim) fn id(&self) -> CoreId {
        let Core { rank, block, kind, vector_core, .. } = *self;
        // The vector core that a core of all kinds runs for is no core of its own, but has a UB of its own.
        CoreId { rank, block, kind, vector_core }
    }
}

/// The flag that a step sets or waits for.
pub(super) fn flag_of(core: &Core, frame: Frame, (from, to): (Pipe, Pipe), id: Extent) -> FlagKey {
    let id = match id {
        Extent::Fixed(id) => u64::from(id),
        Extent::Slot(slot) => core.scalars[frame.scalars + slot as usize],
    };
    FlagKey { from, to, id }
}

impl Machine<'_> {
    /// Tells the observers of an event.
    pub(super) fn tell(&mut self, core: CoreId, at: Place, what: What<'_>) {
        if !self.observers.is_empty() {
            let event = Event { core, at, what };
            self.observers.see(Run { program: self.program }, &event, &mut self.outcome.printed);
        }
    }

    /// The place of the step that a core makes.
    pub(super) fn place(frame: &Frame, code: &FunctionCode, at: usize) -> Place {
        Place { function: frame.function as u32, operation: code.origins[at].index() as u32 }
    }

    /// The place of an instruction.
    #[inline(always)]
    pub(super) fn place_of(frame: &Frame, code: &FunctionCode, index: usize) -> Place {
        let operation = code.tiles[index].operation.index() as u32;
        Place { function: frame.function as u32, operation }
    }

    /// An instruction of a frame is issued, or was done.
    pub(super) fn tell_work(
        &mut self,
        core: &Core,
        frame: Frame,
        (code, index): (&FunctionCode, usize),
        done: bool,
    ) {
        if !self.observers.is_empty() {
            let (tiles, views) = (&core.tiles[frame.tiles..], &core.views[frame.views..]);
            let state = (tiles, views, &core.scalars[frame.scalars..]);
            self.tell_work_of(core, (frame.function, code, index), state, done);
        }
    }

    /// An instruction whose operands are in this state is issued, or was done.
    pub(super) fn tell_work_of(
        &mut self,
        core: &Core,
        (function, code, index): (usize, &FunctionCode, usize),
        (tiles, views, scalars): (&[Live], &[View], &[u64]),
        done: bool,
    ) {
        if self.observers.is_empty() {
            return;
        }
        let footprint = &code.tiles[index].footprint;
        let operands =
            Operands { core: core.running(self.program), tiles, views, scalars, global: &self.global };
        let mut touched = std::mem::take(&mut self.touched);
        touched.clear();
        if self.observers.look_at_memory() || footprint.has_signals() {
            for touch in &footprint.touches {
                let start = operands.start(touch);
                operands.regions(touch, &mut |space, region| {
                    touched.push(Touched {
                        touch: *touch,
                        space,
                        region,
                        start: start.unwrap_or(region.start),
                    });
                });
            }
        }
        let work = Work {
            phases: &footprint.phases,
            fenced: footprint.fenced,
            touched: &touched,
            looked: footprint.seen.is_none_or(|slot| operands.scalars[slot as usize] != 0),
            operands,
            memory: Memory { chip: &core.memory, global: &self.global },
        };
        let what = if done { What::End(work) } else { What::Issue(work) };
        let at = Place { function: function as u32, operation: code.tiles[index].operation.index() as u32 };
        let event = Event { core: core.id(), at, what };
        self.observers.see(Run { program: self.program }, &event, &mut self.outcome.printed);
        self.touched = touched;
    }

    /// A flag, a barrier or a buffer token of a core.
    pub(super) fn tell_order(
        &mut self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        (index, at): (usize, usize),
    ) {
        let what = match code.syncs[index] {
            SyncStep::Flag { sets, from, to, id } => {
                let key = flag_of(core, frame, (from, to), id);
                if sets { What::Set(key) } else { What::Wait(key) }
            }
            SyncStep::Barrier(pipe) => What::Barrier(pipe),
            SyncStep::Token { acquires: true, pipe, token } => What::Acquire { pipe, token },
            SyncStep::Token { acquires: false, pipe, token } => What::Release { pipe, token },
        };
        self.tell(core.id(), Self::place(&frame, code, at), what);
    }

    /// A step of a queue that has just been made.
    pub(super) fn tell_queue(
        &mut self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        (index, at): (usize, usize),
    ) {
        if self.observers.is_empty() {
            return;
        }
        let place = Self::place(&frame, code, at);
        let (id, cube, me) = (core.id(), core.kind == CoreKind::Cube, core.kind.index() as u32);
        let vectors = self.program.vector_strands() as u32;
        // Where a queue is not split, only the first vector core takes part.
        let partners = |route: &Route| if route.split == 0 { 1 } else { vectors };
        let consumers = |route: &Route| if route.to_vector { partners(route) } else { 1 };
        let producers = |route: &Route| if route.to_vector { 1 } else { partners(route) };
        let takes_part = |route: &Route| cube || me < partners(route);
        let end = |route: &Route| QueueEnd { id: route.id, to_vector: route.to_vector, core: me };
        match &code.pipes[index] {
            PipeStep::Push { route, tile, ty, .. } if takes_part(route) => {
                let live = core.tiles[frame.tiles + *tile as usize];
                let pipe = if cube { Pipe::Fixpipe } else { Pipe::Mte3 };
                self.tell_entry(core, place, (ty, live, Access::Read), pipe);
                let (entry, slots) = (self.pipes.last_pushed(*route, me as usize), self.pipes.slots(*route));
                let (queue, returns) = (end(route), (entry + 1).saturating_sub(slots));
                self.tell(id, place, What::Allocate { queue, returns, consumers: consumers(route) });
                self.tell(id, place, What::Push { queue, entry, slots });
            }
            PipeStep::Commit { route } if takes_part(route) => {
                let (entry, slots) = (self.pipes.last_pushed(*route, me as usize), self.pipes.slots(*route));
                self.tell(id, place, What::Push { queue: end(route), entry, slots });
            }
            PipeStep::Take { route, allocates: true, .. } => {
                let (entry, slots) =
                    (self.pipes.last_allocated(*route, me as usize), self.pipes.slots(*route));
                let (queue, returns) = (end(route), (entry + 1).saturating_sub(slots));
                self.tell(id, place, What::Allocate { queue, returns, consumers: consumers(route) });
            }
            PipeStep::Take { route, allocates: false, .. } => {
                let entry = self.pipes.taken(*route, me as usize);
                self.tell(id, place, What::Pop { queue: end(route), entry, producers: producers(route) });
            }
            PipeStep::Pop { route, to, ty, .. } if takes_part(route) => {
                let entry = self.pipes.taken(*route, me as usize);
                self.tell(id, place, What::Pop { queue: end(route), entry, producers: producers(route) });
                let live = core.tiles[frame.tiles + *to as usize];
                self.tell_entry(core, place, (ty, live, Access::Write), Pipe::Scalar);
            }
            PipeStep::Free { route } => {
                let (number, slots) = (self.pipes.last_freed(*route, me as usize), self.pipes.slots(*route));
                self.tell(id, place, What::Free { queue: end(route), number, slots });
            }
            _ => {}
        }
    }

    /// The tile of an entry is read to be pushed, or written where it was popped.
    fn tell_entry(
        &mut self,
        core: &Core,
        at: Place,
        (ty, live, access): (&TileType, Live, Access),
        pipe: Pipe,
    ) {
        let mut start = live.address as u64;
        if ty.buffer() == Buffer::Ub {
            start += u64::from(core.vector_core) * self.program.map.vector_stride as u64;
        }
        let touch = Touch::whole(access, pipe);
        let space = Space::Chip(core.rank, core.block);
        let mut touched = Vec::new();
        let size = (live.rows as usize, live.cols as usize);
        of_tile(&ty.layout(), ty.element, start, (0, 0), size, &mut |region| {
            touched.push(Touched { touch, space, region, start });
        });
        self.tell(core.id(), at, What::Entry { pipe, touched: &touched });
    }
}
