//! Pipes that run on their own: what was issued and is not done.
//!
//! Under every schedule but program order an instruction is issued to the queue of its pipe, with the state of its
//! operands at that moment, and is done later: when something waits for it, or when the schedule picks it. Each pipe keeps
//! the order of its own queue; flags, barriers and buffer tokens hold it back. A program without hazards computes the same
//! under every schedule.

use super::super::code::{FunctionCode, SyncStep};
use super::super::event::{FlagFile, FlagKey};
use super::super::footprint::Footprint;
use super::super::operands::Given;
use super::step::Stop;
use super::tell::flag_of;
use super::{Core, Frame, Machine};
use crate::diag::Diagnostic;
use crate::exec::state::{Live, Slot, View};
use crate::isa::pipe::Pipe;
use crate::isa::rules;
use std::collections::{BTreeMap, VecDeque};

/// In which order pipes do what was issued to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// As the program is written.
    #[default]
    Program,
    /// As soon as it can be done.
    Eager,
    /// Only when something waits for it, the youngest first at the end: a missing wait shows as wrong data every time.
    Lazy,
    /// Whenever the dice say so.
    Random,
    /// For some instructions some pipes run ahead and the others hang back, then others.
    Adversarial,
}

/// Pipes with queues, in the order in which they are asked.
const PIPES: [Pipe; 6] = [Pipe::Vector, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Matrix, Pipe::Fixpipe];

/// Most instructions that wait in a queue.
const DEPTH: usize = 64;

/// Instructions after which an adversary changes its mind.
const MOOD: u64 = 7;

/// Something that a pipe has to do.
#[derive(Debug)]
enum Work {
    Tile {
        function: usize,
        index: usize,
        vector_core: u32,
        operands: Vec<(Slot, Operand)>,
    },
    Set(FlagKey),
    Wait(FlagKey),
    /// Goes on when so many releases of a token are done.
    Acquire(u32, u64),
    Release(u32),
}

/// The state of an operand when its instruction was issued.
#[derive(Clone, Copy, Debug)]
enum Operand {
    Tile(Live),
    View(View),
    Scalar(u64),
}

/// Operands of an instruction that is being done, at the places of their slots.
#[derive(Debug, Default)]
pub(super) struct Stage {
    pub(super) tiles: Vec<Live>,
    pub(super) views: Vec<View>,
    pub(super) scalars: Vec<u64>,
}

impl Stage {
    pub(super) fn given(&self) -> Given<'_> {
        Given { tiles: &self.tiles, views: &self.views, scalars: &self.scalars }
    }
}

/// The queues of a core.
#[derive(Debug, Default)]
pub(in crate::sim) struct Pending {
    queues: [VecDeque<(u64, Work)>; PIPES.len()],
    flags: FlagFile<()>,
    released: BTreeMap<u32, (u64, u64)>,
    issued: u64,
    random: u64,
    stage: Stage,
}

fn queue_of(pipe: Pipe) -> Option<usize> {
    PIPES.iter().position(|other| *other == pipe)
}

impl Pending {
    pub(super) fn new(seed: u64) -> Pending {
        Pending { random: seed ^ 0x9e37_79b9_7f4a_7c15, ..Pending::default() }
    }

    /// The next random number, by a linear congruential generator with an output permutation.
    fn dice(&mut self, sides: u64) -> u64 {
        self.random =
            self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.random >> 33) ^ (self.random >> 51)) % sides.max(1)
    }

    fn put(&mut self, queue: usize, work: Work) {
        self.issued += 1;
        self.queues[queue].push_back((self.issued, work));
    }

    /// Whether the first in a queue can be done.
    fn is_ready(&self, queue: usize) -> bool {
        match self.queues[queue].front() {
            None => false,
            Some((_, Work::Wait(key))) => self.flags.is_set(*key),
            Some((_, Work::Acquire(token, needed))) => {
                self.released.get(token).map_or(0, |(_, done)| *done) >= *needed
            }
            Some(_) => true,
        }
    }

    /// The queues whose first can be done.
    fn ready(&self) -> impl Iterator<Item = usize> {
        (0..PIPES.len()).filter(|queue| self.is_ready(*queue))
    }

    fn head(&self, queue: usize) -> u64 {
        self.queues[queue].front().map_or(u64::MAX, |(serial, _)| *serial)
    }

    /// What the schedule would do next, of all that can be done.
    fn choose(&mut self, schedule: Schedule) -> Option<usize> {
        match schedule {
            Schedule::Program | Schedule::Eager => self.ready().min_by_key(|queue| self.head(*queue)),
            Schedule::Lazy => self.ready().max_by_key(|queue| self.head(*queue)),
            Schedule::Random | Schedule::Adversarial => {
                let ready: Vec<_> = self.ready().collect();
                let pick = self.dice(ready.len() as u64) as usize;
                ready.get(pick).copied()
            }
        }
    }

    /// Whether the schedule does something of its own accord now, and what.
    fn unasked(&mut self, schedule: Schedule) -> Option<usize> {
        match schedule {
            Schedule::Program | Schedule::Eager => self.choose(schedule),
            Schedule::Lazy => None,
            Schedule::Random => {
                let now = self.dice(3) > 0;
                if now { self.choose(schedule) } else { None }
            }
            Schedule::Adversarial => {
                // One bit for each pipe says whether it runs ahead.
                let mood = (self.issued / MOOD).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20 ^ self.random >> 40;
                self.ready().find(|queue| mood >> queue & 1 == 1)
            }
        }
    }

    /// Puts the operands of an instruction where it looks for them.
    fn set_stage(&mut self, operands: &[(Slot, Operand)]) {
        let Stage { tiles, views, scalars } = &mut self.stage;
        let fit = |slot: u32| slot as usize + 1;
        for (slot, operand) in operands {
            match (*slot, *operand) {
                (Slot::Tile(slot), Operand::Tile(live)) => {
                    tiles.resize(tiles.len().max(fit(slot)), Live::default());
                    tiles[slot as usize] = live;
                }
                (Slot::View(slot), Operand::View(view)) => {
                    views.resize(views.len().max(fit(slot)), View::default());
                    views[slot as usize] = view;
                }
                (Slot::Scalar(slot), Operand::Scalar(bits)) => {
                    scalars.resize(scalars.len().max(fit(slot)), 0);
                    scalars[slot as usize] = bits;
                }
                _ => {}
            }
        }
    }
}

impl Machine<'_> {
    /// Issues an instruction to the queue of its pipe. Says whether it went there: the scalar unit does its own at once.
    pub(super) fn issue(
        &mut self,
        core: &mut Core,
        frame: Frame,
        code: &FunctionCode,
        index: usize,
    ) -> Result<bool, Stop> {
        let step = &code.tiles[index];
        if step.footprint.handshakes.orders() {
            // It waits for other pipes, and they for it: what it waits for is done first, and it is done at once.
            self.finish_pipes(core, &step.footprint)?;
            return Ok(false);
        }
        let Some(queue) = queue_of(step.footprint.pipe()) else { return Ok(false) };
        if step.gives_scalars {
            // Its result is used by what comes next, so all that it needs is done first.
            self.finish_pending(core)?;
            return Ok(false);
        }
        let operand = |slot: &Slot| {
            Some((
                *slot,
                match *slot {
                    Slot::Tile(at) => Operand::Tile(core.tiles[frame.tiles + at as usize]),
                    Slot::View(at) => Operand::View(core.views[frame.views + at as usize]),
                    Slot::Scalar(at) => Operand::Scalar(core.scalars[frame.scalars + at as usize]),
                    _ => return None,
                },
            ))
        };
        let operands = step.slots.iter().filter_map(operand).collect();
        let vector_core = core.vector_core;
        let work = Work::Tile { function: frame.function, index, vector_core, operands };
        if let Some(pending) = core.pending.as_mut() {
            pending.put(queue, work);
        }
        self.go_on(core)?;
        Ok(true)
    }

    /// Lets pipes do what the schedule wants done now.
    fn go_on(&mut self, core: &mut Core) -> Result<(), Stop> {
        let schedule = self.options.schedule;
        while let Some(queue) = core.pending.as_mut().and_then(|pending| pending.unasked(schedule)) {
            self.do_first(core, queue)?;
        }
        for queue in 0..PIPES.len() {
            let full = |core: &Core| {
                core.pending.as_ref().is_some_and(|pending| pending.queues[queue].len() > DEPTH)
            };
            if full(core) {
                self.force(core, queue, &mut Vec::new())?;
            }
        }
        Ok(())
    }

    /// A flag, a barrier or a buffer token, as pipes that run on their own take it.
    pub(super) fn order_pending(
        &mut self,
        core: &mut Core,
        frame: Frame,
        step: SyncStep,
    ) -> Result<(), Stop> {
        match step {
            SyncStep::Flag { sets, from, to, id } => {
                let key = flag_of(core, frame, (from, to), id);
                let Some(pending) = core.pending.as_mut() else { return Ok(()) };
                match (sets, queue_of(if sets { from } else { to })) {
                    (true, Some(queue)) => pending.put(queue, Work::Set(key)),
                    (false, Some(queue)) => pending.put(queue, Work::Wait(key)),
                    (true, None) => pending.flags.set(key, ()),
                    (false, None) => {
                        self.await_flag(core, key, &mut Vec::new())?;
                        if let Some(pending) = core.pending.as_mut() {
                            pending.flags.take(key);
                        }
                    }
                }
            }
            SyncStep::Barrier(Pipe::All) => return self.finish_pending(core),
            SyncStep::Barrier(_) => {}
            SyncStep::Behind(pipe) => {
                let queue = queue_of(pipe);
                return queue.map_or(Ok(()), |queue| self.force(core, queue, &mut Vec::new()));
            }
            SyncStep::Token { acquires, pipe, token } => {
                let (Some(queue), Some(pending)) = (queue_of(pipe), core.pending.as_mut()) else {
                    return Ok(());
                };
                let released = pending.released.entry(token).or_default();
                let work = match acquires {
                    true => Work::Acquire(token, released.0),
                    false => {
                        released.0 += 1;
                        Work::Release(token)
                    }
                };
                pending.put(queue, work);
            }
        }
        self.go_on(core)
    }

    /// Does all that can be done. What then still waits, waits for what is issued later.
    pub(super) fn drain(&mut self, core: &mut Core) -> Result<(), Stop> {
        let schedule = self.options.schedule;
        while let Some(queue) = core.pending.as_mut().and_then(|pending| pending.choose(schedule)) {
            self.do_first(core, queue)?;
        }
        Ok(())
    }

    /// Does all that was issued.
    pub(super) fn finish_pending(&mut self, core: &mut Core) -> Result<(), Stop> {
        self.drain(core)?;
        let stuck = (0..PIPES.len())
            .find(|queue| core.pending.as_ref().is_some_and(|pending| !pending.queues[*queue].is_empty()));
        stuck.map_or(Ok(()), |queue| self.force(core, queue, &mut Vec::new()))
    }

    /// Does all that was issued to the pipes of an instruction, and to those that it waits for before it begins.
    fn finish_pipes(&mut self, core: &mut Core, footprint: &Footprint) -> Result<(), Stop> {
        let before = footprint.handshakes.before.iter().map(|(from, _)| from);
        for pipe in before.chain(&footprint.phases) {
            match queue_of(*pipe) {
                Some(queue) => self.force(core, queue, &mut Vec::new())?,
                None if *pipe == Pipe::All => self.finish_pending(core)?,
                None => {}
            }
        }
        Ok(())
    }

    /// Does what a queue holds up to its end; `waiting` are the queues that wait for that.
    fn force(&mut self, core: &mut Core, queue: usize, waiting: &mut Vec<usize>) -> Result<(), Stop> {
        while core.pending.as_ref().is_some_and(|pending| !pending.queues[queue].is_empty()) {
            self.advance_queue(core, queue, waiting)?;
        }
        Ok(())
    }

    /// Does the first in a queue, and before it what that waits for.
    fn advance_queue(&mut self, core: &mut Core, queue: usize, waiting: &mut Vec<usize>) -> Result<(), Stop> {
        let Some(pending) = core.pending.as_ref() else { return Ok(()) };
        if !pending.is_ready(queue) {
            let key = match pending.queues[queue].front() {
                Some((_, Work::Wait(key))) => Some(*key),
                _ => None,
            };
            if waiting.contains(&queue) {
                return Err(self.stuck(core, queue));
            }
            waiting.push(queue);
            match key {
                Some(key) => self.await_flag(core, key, waiting)?,
                None => self.others(core, queue, waiting)?,
            }
            waiting.pop();
        }
        self.do_first(core, queue)
    }

    /// Does what it takes for a flag to be set.
    fn await_flag(&mut self, core: &mut Core, key: FlagKey, waiting: &mut Vec<usize>) -> Result<(), Stop> {
        let is_set = |core: &Core| core.pending.as_ref().is_some_and(|pending| pending.flags.is_set(key));
        while !is_set(core) {
            let sets = |pending: &Pending, queue: usize| {
                pending.queues[queue]
                    .iter()
                    .any(|(_, work)| matches!(work, Work::Set(other) if *other == key))
            };
            let queue = queue_of(key.from)
                .filter(|queue| core.pending.as_ref().is_some_and(|pending| sets(pending, *queue)));
            match queue {
                Some(queue) if !waiting.contains(&queue) => self.advance_queue(core, queue, waiting)?,
                _ => return Err(self.never(core, key)),
            }
        }
        Ok(())
    }

    /// Does what the other queues hold, until the first of this one can be done.
    fn others(&mut self, core: &mut Core, queue: usize, waiting: &mut Vec<usize>) -> Result<(), Stop> {
        while core.pending.as_ref().is_some_and(|pending| !pending.is_ready(queue)) {
            let next = core.pending.as_ref().and_then(|pending| {
                (0..PIPES.len()).find(|other| !waiting.contains(other) && !pending.queues[*other].is_empty())
            });
            match next {
                Some(next) => self.advance_queue(core, next, waiting)?,
                None => return Err(self.stuck(core, queue)),
            }
        }
        Ok(())
    }

    /// Does the first in a queue.
    fn do_first(&mut self, core: &mut Core, queue: usize) -> Result<(), Stop> {
        let Some(mut pending) = core.pending.take() else { return Ok(()) };
        let work = pending.queues[queue].pop_front().map(|(_, work)| work);
        let done = match work {
            Some(Work::Tile { function, index, vector_core, operands }) => {
                pending.set_stage(&operands);
                self.execute_staged(core, &mut pending.stage, (function, index), vector_core)
            }
            Some(Work::Set(key)) => {
                pending.flags.set(key, ());
                Ok(())
            }
            Some(Work::Wait(key)) => {
                pending.flags.take(key);
                Ok(())
            }
            Some(Work::Release(token)) => {
                pending.released.entry(token).or_default().1 += 1;
                Ok(())
            }
            Some(Work::Acquire(..)) | None => Ok(()),
        };
        core.pending = Some(pending);
        done
    }

    /// What each queue waits for, when none can go on.
    fn stuck(&self, core: &Core, queue: usize) -> Stop {
        let message = format!("pipe {} can never go on", PIPES[queue].word());
        Stop::Found(vec![self.waiting_pipes(core, message)])
    }

    fn never(&self, core: &Core, FlagKey { from, to, id }: FlagKey) -> Stop {
        let message = format!(
            "{} waits for the flag of {} with number {id}, which is never set",
            to.word(),
            from.word()
        );
        Stop::Found(vec![self.waiting_pipes(core, message)])
    }

    fn waiting_pipes(&self, core: &Core, message: String) -> Diagnostic {
        let mut finding = Diagnostic::error(&rules::sync::DEADLOCK, message);
        let Some(pending) = core.pending.as_ref() else { return finding };
        for (queue, pipe) in pending.queues.iter().zip(PIPES) {
            if let Some((_, Work::Wait(FlagKey { from, id, .. }))) = queue.front() {
                let line =
                    format!("pipe {} waits for the flag of {} with number {id}", pipe.word(), from.word());
                finding = finding.with_note(line);
            }
        }
        finding.with_note(format!("in block {}", core.block))
    }
}
