//! Sends the events of a run to the observers.

use super::super::code::{ExchangeStep, Extent, FunctionCode, Route, SyncStep, Token};
use super::super::event::{CoreId, Event, FlagKey, Memory, Place, QueueEnd, Touched, UNIT_FLAGS, What, Work};
use super::super::footprint::{Kind, Touch, UNNAMED};
use super::super::operands::{Given, Space};
use super::{Core, CoreKind, Frame, Machine};
use pto_isa::exec::state::Tile;
use pto_isa::op::Slots;
use pto_isa::op::effect::Access;
use pto_isa::pipe::Pipe;
use pto_isa::tile::TileType;

impl Core {
    /// Identity of this core.
    pub(in crate::sim) fn id(&self) -> CoreId {
        let Core { rank, block, kind, vector_core, .. } = *self;
        // A core that runs all kinds of code is one core, but each vector core has its own UB.
        CoreId { rank, block, kind, vector_core }
    }
}

/// Stage of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    Issue,
    End,
}

/// The tile operand of an operation on a queue.
struct EntryTile<'t> {
    /// Slot of the tile within the frame.
    slot: u32,
    /// Index among the operands of the operation.
    operand: u16,
    ty: &'t TileType,
}

/// The flag that a step sets or waits for.
pub(super) fn flag_of(core: &Core, frame: Frame, from: Pipe, to: Pipe, id: Extent) -> FlagKey {
    let id = match id {
        Extent::Fixed(id) => u64::from(id),
        Extent::Slot(slot) => core.scalars[frame.scalars + slot as usize],
    };
    FlagKey { from, to, id }
}

/// The number of the token that a step acquires or releases.
pub(super) fn token_of(core: &Core, frame: Frame, token: Token) -> u32 {
    match token {
        Token::Number(number) => number,
        Token::Unit(slot) => UNIT_FLAGS + core.tiles[frame.tiles + slot as usize].address as u32,
    }
}

impl Machine<'_> {
    /// Sends an event to the observers.
    pub(in crate::sim) fn tell(&mut self, core: CoreId, at: Place, what: What<'_>) {
        if !self.observers.is_empty() {
            let event = Event { core, at, what };
            self.observers.see(self.program, &event, &mut self.state.outcome.printed);
        }
    }

    /// Sends the event that an instruction begins, if an observer needs it.
    pub(super) fn tell_begin(&mut self, core: &Core, at: Place) {
        if self.observers.needs().ends {
            self.tell(core.id(), at, What::Begin);
        }
    }

    /// The place of an instruction.
    #[inline(always)]
    pub(super) fn place_of(frame: &Frame, code: &FunctionCode, index: usize) -> Place {
        Place::of(frame.function, code.tiles[index].operation)
    }

    /// Determines the accesses of an instruction with these operands, for the following events.
    pub(super) fn look_at(&mut self, core: &Core, function: usize, index: usize, given: Given<'_>) {
        let step = &self.program.functions[function].tiles[index];
        if self.observers.needs().accesses || step.footprint.has_signals {
            let operands = given.to(core.running(self.program), &self.state.global);
            self.state.accesses.look(Place::of(function, step.operation), step, &operands);
        } else {
            self.state.accesses.clear();
        }
    }

    /// Sends the stage of an instruction with these operands to the observers, if one of them needs it. The accesses
    /// must have been determined before.
    pub(super) fn tell_work(
        &mut self,
        core: &Core,
        function: usize,
        index: usize,
        given: Given<'_>,
        news: News,
    ) {
        let step = &self.program.functions[function].tiles[index];
        let footprint = &step.footprint;
        if news == News::End && !self.observers.needs().ends && !footprint.has_signals {
            return;
        }
        let operands = given.to(core.running(self.program), &self.state.global);
        let work = Work {
            phases: &footprint.phases,
            handshakes: footprint.handshakes,
            touched: self.state.accesses.touched(),
            touches: &footprint.touches,
            signature: self.state.accesses.signature(),
            uses_window: footprint.uses_window,
            signals: footprint.has_signals,
            looked: !footprint.has_signals
                || footprint.seen().is_none_or(|slot| operands.scalars[slot as usize] != 0),
            operands,
            serials: &core.serials,
            memory: Memory { chip: &core.memory, global: &self.state.global },
        };
        let at = Place::of(function, step.operation);
        let what = match news {
            News::Issue => What::Issue(&work),
            News::End => What::End(&work),
        };
        let event = Event { core: core.id(), at, what };
        self.observers.see(self.program, &event, &mut self.state.outcome.printed);
    }

    /// Sends the event of a flag, a barrier or a buffer token of a core.
    pub(super) fn tell_order(
        &mut self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
        at: usize,
    ) {
        let what = match code.syncs[index] {
            SyncStep::Flag { sets, from, to, id } => {
                let key = flag_of(core, frame, from, to, id);
                if sets { What::Set(key) } else { What::Wait(key) }
            }
            SyncStep::Barrier(pipe) => What::Barrier(pipe),
            SyncStep::Behind(pipe) => What::Behind(pipe),
            SyncStep::Token { acquires, pipe, token } => {
                let token = token_of(core, frame, token);
                if acquires { What::Acquire { pipe, token } } else { What::Release { pipe, token } }
            }
        };
        self.tell(core.id(), Place::of(frame.function, code.origins[at]), what);
    }

    /// Sends the event of a queue step that has just run.
    pub(super) fn tell_queue(
        &mut self,
        core: &Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
        at: usize,
    ) {
        if self.observers.is_empty() {
            return;
        }
        let place = Place::of(frame.function, code.origins[at]);
        let (id, cube, me) = (core.id(), core.kind == CoreKind::Cube, core.kind.index() as u32);
        let vectors = self.program.vector_strands() as u32;
        // If a queue is not split, only the first vector core uses it.
        let partners = |route: &Route| if route.split == 0 { 1 } else { vectors };
        let consumers = |route: &Route| if route.to_vector { partners(route) } else { 1 };
        let producers = |route: &Route| if route.to_vector { 1 } else { partners(route) };
        let takes_part = |route: &Route| cube || me < partners(route);
        let end = |route: &Route| QueueEnd { id: route.id, to_vector: route.to_vector, core: me };
        match &code.exchanges[index] {
            ExchangeStep::Push { route, tile, ty, parameters, .. } if takes_part(route) => {
                let (entry, slots) =
                    (self.state.exchange.last_pushed(*route, me as usize), self.state.exchange.slots(*route));
                let (queue, returns) = (end(route), (entry + 1).saturating_sub(slots));
                if let Some(pipe) = route.pipes.waits {
                    let consumers = consumers(route);
                    self.tell(id, place, What::Allocate { queue, pipe, returns, consumers });
                }
                let tile = EntryTile { slot: *tile, operand: 0, ty };
                self.tell_entry(core, frame, place, Access::Read, tile, route);
                self.tell_slot(id, place, route, Access::Write);
                let set = core.registers.quantization.get(&route.id).and_then(|set| set.columns);
                let is_set = |slot: u32| set.is_some_and(|set| set.slot == slot);
                // The operation that sets the parameters has their tile as an operand.
                if let Some((setter, slot, ty)) = parameters.iter().find(|(_, slot, _)| is_set(*slot)) {
                    let setter = Place::of(frame.function, *setter);
                    let tile = EntryTile { slot: *slot, operand: 0, ty };
                    self.tell_entry(core, frame, setter, Access::Read, tile, route);
                }
                if let Some(pipe) = route.pipes.signals {
                    self.tell(id, place, What::Push { queue, pipe, entry, slots });
                }
            }
            ExchangeStep::Commit { route } if takes_part(route) => {
                let (entry, slots) =
                    (self.state.exchange.last_pushed(*route, me as usize), self.state.exchange.slots(*route));
                if let Some(pipe) = route.pipes.signals {
                    self.tell(id, place, What::Push { queue: end(route), pipe, entry, slots });
                }
            }
            ExchangeStep::Take { route, allocates: true, .. } => {
                let (entry, slots) = (
                    self.state.exchange.last_allocated(*route, me as usize),
                    self.state.exchange.slots(*route),
                );
                let (queue, returns) = (end(route), (entry + 1).saturating_sub(slots));
                if let Some(pipe) = route.pipes.waits {
                    let consumers = consumers(route);
                    self.tell(id, place, What::Allocate { queue, pipe, returns, consumers });
                }
            }
            ExchangeStep::Take { route, allocates: false, .. } => {
                self.tell_pop(id, place, end(route), producers(route), *route);
            }
            ExchangeStep::Pop { route, operand, to, ty, .. } if takes_part(route) => {
                self.tell_pop(id, place, end(route), producers(route), *route);
                let tile = EntryTile { slot: *to, operand: *operand, ty };
                self.tell_entry(core, frame, place, Access::Write, tile, route);
                self.tell_slot(id, place, route, Access::Read);
                self.tell_return(id, place, end(route), *route);
            }
            ExchangeStep::Free { route } if takes_part(route) => {
                self.tell_return(id, place, end(route), *route);
            }
            _ => {}
        }
    }

    /// Sends the event of an entry that has just been popped.
    fn tell_pop(&mut self, id: CoreId, place: Place, queue: QueueEnd, producers: u32, route: Route) {
        let Some(pipe) = route.pipes.waits else { return };
        let entry = self.state.exchange.taken(route, id.kind.index());
        self.tell(id, place, What::Pop { queue, pipe, entry, producers });
    }

    /// Sends the event of a freed slot, if the operation frees one.
    fn tell_return(&mut self, id: CoreId, place: Place, queue: QueueEnd, route: Route) {
        let me = id.kind.index();
        let Some(pipe) = route.pipes.signals else { return };
        // If the queue itself orders everything, no pipe accesses the tile.
        let access = if route.pipes.accesses.is_some() { Access::Destroy } else { Access::Name };
        let touch = Kind { access, operand: UNNAMED, effect: 0, pipe, atomic: false };
        let held = (route.slots == Slots::OnChip).then(|| self.state.exchange.let_go(route, me)).flatten();
        let space = Space::Chip(id.rank, id.block);
        let tile =
            held.map(|range| Touched { touch, index: 0, space, range, start: range.start, grid: None });
        let (number, slots) =
            (self.state.exchange.last_returned(route, me), self.state.exchange.slots(route));
        self.tell(id, place, What::Return { queue, pipe, number, slots, tile });
    }

    /// Sends the event that an entry passes through its slot in global memory, if it has one: a push writes it, a pop reads it.
    fn tell_slot(&mut self, id: CoreId, at: Place, route: &Route, access: Access) {
        let Some(slot) = self.state.exchange.in_slot(*route, id.kind.index()) else { return };
        let pipe = route.pipes.accesses.unwrap_or(Pipe::Scalar);
        let touch = Kind { access, operand: UNNAMED, effect: 0, pipe, atomic: false };
        let mut touched = Vec::new();
        slot.ranges(&mut |space, range| {
            touched.push(Touched { touch, index: 0, space, range, start: range.start, grid: None });
        });
        self.tell(id, at, What::Slot { pipe, touched: &touched });
    }

    /// Sends the event of an access to the tile of an entry: a push reads the tile, or a pop writes it.
    fn tell_entry(
        &mut self,
        core: &Core,
        frame: Frame,
        at: Place,
        access: Access,
        tile: EntryTile<'_>,
        route: &Route,
    ) {
        let EntryTile { slot, operand, ty } = tile;
        // An access that the queue itself orders counts as one of the scalar unit.
        let (pipe, slots) = (route.pipes.accesses.unwrap_or(Pipe::Scalar), route.slots);
        let touch = Touch::of_valid(access, operand, Tile::new(slot, *ty, ty.layout()), pipe);
        let mut touched = Vec::new();
        core.operands(self.program, frame, &self.state.global).touched(&[touch], &mut touched);
        let memory = Memory { chip: &core.memory, global: &self.state.global };
        let event =
            Event { core: core.id(), at, what: What::Entry { pipe, slots, touched: &touched, memory } };
        self.observers.see(self.program, &event, &mut self.state.outcome.printed);
    }
}
