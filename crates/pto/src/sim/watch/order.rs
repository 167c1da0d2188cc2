//! What orders instructions: within a core flags, barriers and tokens, between cores queues, flags and signals.

use super::super::code::{FlagReach, Program};
use super::super::machine::Core;
use super::clock::{Clock, Moment};
use super::findings::Place;
use super::flags::{SetFlag, slot_of};
use super::shadow::{Origin, Record};
use super::{History, Space, Watch};
use crate::isa::op::effect::Access;
use crate::isa::op::state::Live;
use crate::isa::pipe::Pipe;
use crate::isa::tile::TileType;
use crate::sim::region::of_tile;

/// Within a core.
impl Watch {
    /// A flag from one pipe to another is set.
    pub(in crate::sim) fn set_flag(&mut self, core: &Core, (from, to, id): (Pipe, Pipe, u64), by: Place) {
        let at = self.core(core);
        let key = (slot_of(from) as u8, slot_of(to) as u8, id);
        let clock = self.cores[at].pipes.finished(from);
        let before = self.cores[at].pipes.flags.insert(key, SetFlag { clock, by });
        if let Some(before) = before.filter(|_| self.watched.sync) {
            self.findings.set_twice(key, before.by, by);
        }
    }

    /// A pipe waits for a flag.
    pub(in crate::sim) fn wait_flag(&mut self, core: &Core, (from, to, id): (Pipe, Pipe, u64), by: Place) {
        let at = self.core(core);
        let key = (slot_of(from) as u8, slot_of(to) as u8, id);
        match self.cores[at].pipes.flags.remove(&key) {
            Some(flag) => {
                self.reliance.took(by, flag.by);
                let changes = self.reliance.open(by, false);
                let pipes = &mut self.cores[at].pipes;
                let news = pipes.learn(to, &flag.clock, Some(by), &changes);
                self.findings.needed(by, (!news).then(|| pipes.cover(from, to)));
            }
            None if self.watched.sync => self.findings.never_set(key, by),
            None => {}
        }
    }

    /// A barrier of a pipe.
    pub(in crate::sim) fn barrier(&mut self, core: &Core, pipe: Pipe, by: Place) {
        let at = self.core(core);
        let changes = self.reliance.open(by, pipe == Pipe::All);
        let pipes = &mut self.cores[at].pipes;
        let news = pipes.barrier(pipe, by, &changes);
        self.findings.needed(by, (!news).then(|| pipes.cover(pipe, pipe)));
    }

    /// A buffer token is taken or given back.
    pub(in crate::sim) fn token(
        &mut self,
        core: &Core,
        pipe: Pipe,
        (token, acquires): (u64, bool),
        by: Place,
    ) {
        let at = self.core(core);
        let changes = self.reliance.open(by, false);
        match acquires {
            true => self.cores[at].pipes.acquire(pipe, token, by, &changes),
            false => self.cores[at].pipes.release(pipe, token, &changes),
        }
    }
}

/// Between cores.
impl Watch {
    /// A producer has waited for the slot of its next entry.
    pub(in crate::sim) fn allocated(
        &mut self,
        core: &Core,
        (id, to_vector, me): (i128, bool, u32),
        slots: u64,
        consumers: u32,
    ) {
        let at = self.core(core);
        let key = (core.rank, core.block, id, to_vector, me);
        let count = self.entries.get(&key).map_or(0, History::len);
        let Some(before) = count.checked_sub(slots) else { return };
        for consumer in 0..consumers {
            let key = (core.rank, core.block, id, to_vector, consumer);
            self.hear(at, Pipe::All, |watch| watch.freed.get(&key)?.get(before));
        }
    }

    /// An entry goes into a queue, into a slot that all consumers have given back.
    pub(in crate::sim) fn pushed(
        &mut self,
        core: &Core,
        (id, to_vector, me): (i128, bool, u32),
        slots: u64,
        consumers: u32,
    ) {
        self.allocated(core, (id, to_vector, me), slots, consumers);
        let at = self.core(core);
        let clock = self.cores[at].pipes.finished(Pipe::All);
        let key = (core.rank, core.block, id, to_vector, me);
        self.entries.entry(key).or_default().push((at as u32, clock), slots);
    }

    /// Entry number `taken` of a queue, of each producer, is taken out.
    pub(in crate::sim) fn popped(
        &mut self,
        core: &Core,
        (id, to_vector): (i128, bool),
        taken: u64,
        producers: u32,
    ) {
        let at = self.core(core);
        for producer in 0..producers {
            let key = (core.rank, core.block, id, to_vector, producer);
            self.hear(at, Pipe::All, |watch| watch.entries.get(&key)?.get(taken));
        }
    }

    /// A slot is given back.
    pub(in crate::sim) fn freed(&mut self, core: &Core, (id, to_vector, me): (i128, bool, u32), slots: u64) {
        let at = self.core(core);
        let clock = self.cores[at].pipes.finished(Pipe::All);
        let key = (core.rank, core.block, id, to_vector, me);
        self.freed.entry(key).or_default().push((at as u32, clock), slots);
        // Slots are given back in the order in which they were taken.
        let popped = self.popped_at.entry((core.rank, core.block, at as u32)).or_default();
        if let Some(slot) = popped.pop_front() {
            self.returned.entry(Space::Chip(core.rank, core.block)).or_default().extend(slot);
        }
    }

    /// The tile of an entry is read to be pushed, or written where it was popped.
    pub(in crate::sim) fn entry(
        &mut self,
        program: &Program,
        core: &Core,
        (ty, live, written): (&TileType, Live, bool),
        pipe: Pipe,
        (function, operation): (u32, u32),
    ) {
        let at = self.core(core);
        let count = self.cores[at].pipes.issue(program.profile, pipe);
        let mut address = live.address as u64;
        if ty.buffer() == crate::isa::Buffer::Ub {
            address += u64::from(core.vector_core) * program.map.vector_stride as u64;
        }
        let access = if written { Access::Write } else { Access::Read };
        let moment = Moment { core: at as u32, pipe: slot_of(pipe) as u8, count };
        let origin = Origin { function, operation, operand: 0, times: 1 };
        let space = Space::Chip(core.rank, core.block);
        let mut regions = Vec::new();
        let size = (live.rows as usize, live.cols as usize);
        of_tile(&ty.layout(), ty.element, address, (0, 0), size, &mut |region| regions.push(region));
        for region in &regions {
            let record = Record { region: *region, moment, access, atomic: false, origin };
            if written && let Some(returned) = self.returned.get_mut(&space) {
                returned.retain(|slot| slot.common(region).is_none());
            }
            if self.watched.race {
                self.access(at, space, record);
            }
            self.contents(space, &record);
        }
        if written {
            let popped = self.popped_at.entry((core.rank, core.block, at as u32)).or_default();
            popped.push_back(regions);
        }
    }

    /// Pipes of a core hear what another core knows.
    fn hear(&mut self, at: usize, pipe: Pipe, find: impl Fn(&Watch) -> Option<(u32, Clock)>) {
        let Some((from, clock)) = find(self) else { return };
        let me = self.cores[at].id;
        let mut mine = Clock::default();
        mine.join_from(me, from, &clock);
        self.cores[at].pipes.learn(pipe, &mine, None, &[]);
    }

    /// A core sets a flag of other cores, by way of a pipe.
    pub(in crate::sim) fn signalled(&mut self, core: &Core, (reach, id): (FlagReach, u64), pipe: Pipe) {
        let at = self.core(core);
        let clock = self.cores[at].pipes.finished(pipe);
        self.signals.entry((reach, id, at as u32)).or_default().push(clock);
    }

    /// A pipe of a core goes on after the `count`th time that each setter has set a flag.
    pub(in crate::sim) fn heard(
        &mut self,
        core: &Core,
        (reach, id): (FlagReach, u64),
        pipe: Pipe,
        (setters, count): (&[(u32, u32, u32)], u64),
    ) {
        let at = self.core(core);
        for name in setters {
            let Some(&setter) = self.names.get(name) else { continue };
            self.hear(at, pipe, |watch| {
                let clocks = watch.signals.get(&(reach, id, setter))?;
                Some((setter, clocks.get(count as usize)?.clone()))
            });
        }
    }

    /// A core changes a signal in global memory, after all that a pipe has done.
    pub(in crate::sim) fn notified(&mut self, core: &Core, place: (u32, u64), pipe: Pipe) {
        let at = self.core(core);
        let mut clock = self.cores[at].pipes.finished(pipe);
        let me = self.cores[at].id;
        if let Some((from, before)) = self.notified.get(&place) {
            clock.join_from(me, *from, before);
        }
        self.notified.insert(place, (me, clock));
    }

    /// A core has seen a signal.
    pub(in crate::sim) fn saw(&mut self, core: &Core, place: (u32, u64), pipe: Pipe) {
        let at = self.core(core);
        self.hear(at, pipe, |watch| watch.notified.get(&place).cloned());
    }
}
