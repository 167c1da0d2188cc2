//! Order between cores: queues, flags and signals.

use super::clock::{Clock, Moment};
use super::pipes::slot_of;
use super::{Race, Told};
use crate::sim::code::FlagReach;
use crate::sim::event::{CoreId, QueueEnd};
use pto_isa::pipe::Pipe;

impl Race {
    /// Joins for a pipe of a producer that has waited until each consumer has freed `returns` slots.
    pub(in crate::observe) fn allocated(
        &mut self,
        me: usize,
        core: CoreId,
        pipe: Pipe,
        queue: QueueEnd,
        returns: u64,
        consumers: u32,
    ) {
        let Some(last) = returns.checked_sub(1) else { return };
        for consumer in 0..consumers {
            let key = (core.rank, core.block, queue.at(consumer));
            self.hear(me, pipe, |race| race.freed.get(&key)?.get(&last).cloned());
        }
    }

    /// An entry is pushed after the instructions of a pipe. Only the last `slots` entries are kept: a producer waits for a free slot, so no
    /// consumer lags further.
    pub(in crate::observe) fn pushed(
        &mut self,
        me: usize,
        core: CoreId,
        pipe: Pipe,
        queue: QueueEnd,
        entry: u64,
        slots: u64,
    ) {
        let clock = self.cores[me].pipes.finished(pipe);
        let entries = self.entries.entry((core.rank, core.block, queue)).or_default();
        entries.insert(entry, ((me as u32, clock), pipe));
        entries.retain(|number, _| number + slots > entry);
    }

    /// A pipe has waited for the entry of this number, of each producer.
    pub(in crate::observe) fn popped(
        &mut self,
        me: usize,
        core: CoreId,
        pipe: Pipe,
        queue: QueueEnd,
        entry: u64,
        producers: u32,
    ) {
        let mut pushes = [None; 2];
        for producer in 0..producers {
            let key = (core.rank, core.block, queue.at(producer));
            let pushed = self.entries.get(&key).and_then(|entries| entries.get(&entry));
            if let (Some(((from, clock), by)), Some(push)) = (pushed, pushes.get_mut(producer as usize)) {
                let by = slot_of(*by);
                *push = Some(Moment { core: *from, pipe: by as u8, count: clock.known.own[by] });
            }
            self.hear(me, pipe, |race| Some(race.entries.get(&key)?.get(&entry)?.0.clone()));
        }
        self.arrived.insert(me, pushes);
    }

    /// Records that a slot is freed after the instructions of a pipe.
    pub(in crate::observe) fn given_back(
        &mut self,
        me: usize,
        core: CoreId,
        pipe: Pipe,
        queue: QueueEnd,
        number: u64,
        slots: u64,
    ) {
        let clock = self.cores[me].pipes.finished(pipe);
        let freed = self.freed.entry((core.rank, core.block, queue)).or_default();
        freed.insert(number, (me as u32, clock));
        freed.retain(|old, _| old + slots > number);
    }

    /// Joins the clock of another core into pipes of a core.
    fn hear(&mut self, me: usize, pipe: Pipe, find: impl Fn(&Race) -> Option<Told>) {
        let Some((from, clock)) = find(self) else { return };
        let mut mine = Clock::default();
        mine.join_from(me as u32, from, &clock);
        self.cores[me].pipes.learn(pipe, &mine, None, &[]);
    }

    /// A pipe of a core sets a flag for other cores.
    pub(in crate::observe) fn signalled(&mut self, me: usize, flag: (FlagReach, u64), pipe: Pipe) {
        let clock = self.cores[me].pipes.finished(pipe);
        self.signals.entry((flag.0, flag.1, me as u32)).or_default().push(clock);
    }

    /// A pipe of a core has waited until each setter has set a flag `count` + 1 times.
    pub(in crate::observe) fn heard(
        &mut self,
        me: usize,
        flag: (FlagReach, u64),
        pipe: Pipe,
        setters: &[CoreId],
        count: u64,
    ) {
        let (reach, id) = flag;
        for setter in setters {
            let Some(&setter) = self.numbers.get(setter) else { continue };
            self.hear(me, pipe, |race| {
                let clocks = race.signals.get(&(reach, id, setter))?;
                Some((setter, clocks.get(count as usize)?.clone()))
            });
        }
    }

    /// Orders everything in later launches of a rank after everything in this one.
    pub(in crate::observe) fn launch_ended(&mut self, rank: u32) {
        let cores = self.numbers.iter().filter(|(core, _)| core.rank == rank).map(|(_, number)| *number);
        let cores: Vec<u32> = cores.collect();
        let told = cores.iter().map(|core| (*core, self.cores[*core as usize].pipes.finished(Pipe::All)));
        let told: Vec<Told> = told.collect();
        self.launches.insert(rank, told);
        for core in cores {
            self.cores[core as usize].pipes.end_launch();
            self.follow_launch(core as usize, rank);
        }
    }

    /// A core begins after all that the last launch of its rank did.
    pub(in crate::observe) fn follow_launch(&mut self, me: usize, rank: u32) {
        for at in 0..self.launches.get(&rank).map_or(0, Vec::len) {
            self.hear(me, Pipe::All, |race| race.launches.get(&rank)?.get(at).cloned());
        }
    }

    /// A core changes a signal in global memory, after all instructions of a pipe.
    pub(in crate::observe) fn notify(&mut self, me: usize, signal: (u32, u64), pipe: Pipe) {
        let mut clock = self.cores[me].pipes.finished(pipe);
        if let Some((from, before)) = self.notified.get(&signal) {
            clock.join_from(me as u32, *from, before);
        }
        self.notified.insert(signal, (me as u32, clock));
    }

    /// A core has read the expected value of a signal in global memory.
    pub(in crate::observe) fn see_signal(&mut self, me: usize, signal: (u32, u64), pipe: Pipe) {
        self.hear(me, pipe, |race| race.notified.get(&signal).cloned());
    }
}
