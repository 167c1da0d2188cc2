//! The simulation of discrete events: blocks are dealt to the cores of a device, and run until all have ended.
//!
//! **Claim.** The times are the least solution of the model's equations (`docs/timing.md`): an instruction starts at the
//! maximum of its issue, the end of its pipe's work, and the ends of the operations that it waits for; it ends a duration
//! later, which for a transfer with global memory depends on the other transfers under way at the same time. The times do
//! not depend on the order in which this code visits cores.
//!
//! **Argument.** Lanes (cores of blocks) depend on each other in three ways only, and each is handled where its time is
//! known. A *signal* of another core has a time once the sender has reached it: a lane that waits for one stops, and is
//! resumed by the sender (`waiters`); times are values, so the progress of other lanes in the meantime does not matter. A
//! *slot* takes its next block when the last one has ended. Only for the *shared memory* does order matter: the rate of a
//! transfer changes when others begin or end. So a lane never runs past the start of its own transfer. Transfers are in
//! one queue by time (`next`), ties in the order of their numbers. The earliest begins when no lane can still produce an
//! earlier one: each running lane continues until it waits for a signal, waits for a transfer in the queue, or has ended.
//! A transfer that begins cannot affect times before it.
//!
//! If no lane can run and the queue is empty, the launch waits without end: the model has found a deadlock, or blocks
//! that wait for each other but do not fit the device together. The message names the step.
//!
//! Only instructions that may still be on the critical path are kept (`history.rs`), so memory is bounded by the device,
//! not by the length of the launch.

use super::critical;
use super::history::{Detail, History};
use super::lane::{Around, Lane, Moment};
use super::memory::{Cache, Shared, Transfer};
use super::recording::{Recording, Step, Stream};
use super::stalls::Stalls;
use super::timing::{Ended, Timing, Traffic};
use crate::data::{DataError, Failure};
use pto_isa::device::Device;
use pto_isa::diag::Diagnostic;
use pto_isa::op::cost::Duration;
use pto_isa::pipe::Pipe;
use pto_isa::rules;
use pto_machine::sim::code::CoreKind;
use pto_machine::sim::event::FlagKey;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

/// Event at a known time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    /// A slot takes a block.
    Block { slot: usize },
    /// The transfer of a pipe of a lane begins.
    Transfer { lane: usize, pipe: usize },
}

/// A time, in an order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Time(f64);

impl Eq for Time {}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Time) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Time) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// A core, or a cube core with its vector cores, that runs one block after the other.
#[derive(Debug, Default)]
struct Slot {
    blocks: VecDeque<Vec<usize>>,
    running: Vec<usize>,
}

/// Times a recording on a device, and keeps single instructions as far as `detail` demands.
///
/// # Errors
/// A device whose description is wrong; a launch in which something waits without end, or whose blocks wait for each other but
/// do not fit the device together.
pub fn time(recording: &Recording, device: &Device, detail: Detail) -> Result<Timing, Failure> {
    device.validate().map_err(DataError::new)?;
    let mut engine = Engine::new(recording, device, detail);
    engine.run()?;
    let Engine { lanes, history, stalls, traffic, slots, uses_cube, signals, .. } = engine;
    let end = lanes.iter().filter_map(Lane::end).fold(Moment::default(), Moment::max);
    let path = critical::path(recording, &history, end);
    let slots = slots.len();
    let ended = Ended { lanes, history, stalls, traffic, slots, uses_cube, signals, end, path };
    Ok(Timing::of(recording, device, ended))
}

struct Engine<'a> {
    recording: &'a Recording,
    device: &'a Device,
    lanes: Vec<Lane<'a>>,
    slots: Vec<Slot>,
    slot_of: Vec<usize>,
    uses_cube: bool,
    shared: Shared,
    cache: Cache,
    next: BinaryHeap<Reverse<(Time, u64, Next)>>,
    count: u64,
    signals: Vec<Option<Moment>>,
    waiters: BTreeMap<u32, Vec<usize>>,
    history: History<'a>,
    stalls: Stalls,
    /// Lanes to run, and transfers to start with their times and pipes: empty, but for memory that is used again.
    ready: Vec<usize>,
    transfers: Vec<(f64, usize)>,
    /// Duration of each work of the recording, in cycles.
    durations: Vec<Duration>,
    traffic: Traffic,
}

impl<'a> Engine<'a> {
    fn new(recording: &'a Recording, device: &'a Device, detail: Detail) -> Engine<'a> {
        let lanes: Vec<Lane<'a>> =
            recording.streams.iter().enumerate().map(|(index, stream)| Lane::new(index, stream)).collect();
        let (slots, slot_of, uses_cube) = deal(recording, device);
        Engine {
            recording,
            device,
            lanes,
            slot_of,
            uses_cube,
            shared: Shared::new(device),
            cache: Cache::new(device, &recording.buffers),
            next: BinaryHeap::new(),
            count: 0,
            signals: vec![None; recording.signals.len()],
            waiters: BTreeMap::new(),
            history: History::new(recording, detail),
            stalls: Stalls::of(recording.sources.len()),
            ready: Vec::new(),
            transfers: Vec::new(),
            durations: recording.works.iter().map(|work| work.duration(device)).collect(),
            traffic: Traffic::default(),
            slots,
        }
    }

    fn at(&mut self, time: f64, next: Next) {
        self.count += 1;
        self.next.push(Reverse((Time(time), self.count, next)));
    }

    fn run(&mut self) -> Result<(), Failure> {
        let start = self.device.block_start.value * self.device.clock.value;
        for slot in 0..self.slots.len() {
            self.at(start, Next::Block { slot });
        }
        loop {
            let known = self.next.peek().map(|Reverse((time, ..))| time.0);
            let ended = self.shared.next_end();
            match (known, ended) {
                (None, None) => break,
                (Some(time), end) if end.is_none_or(|end| time <= end) => {
                    self.shared.advance(time);
                    if let Some(Reverse((_, _, next))) = self.next.pop() {
                        self.begin(next);
                    }
                }
                (_, Some(end)) => {
                    self.shared.advance(end);
                    if let Some((lane, pipe)) = self.shared.end() {
                        self.settle(lane, Some(pipe));
                    }
                }
                (Some(_), None) => break,
            }
        }
        match self.lanes.iter().find(|lane| lane.end().is_none()) {
            None => Ok(()),
            Some(lane) => Err(vec![self.stuck(lane)].into()),
        }
    }

    fn begin(&mut self, next: Next) {
        match next {
            Next::Block { slot } => {
                let Some(block) = self.slots[slot].blocks.pop_front() else { return };
                let now = self.shared.now();
                self.slots[slot].running.clone_from(&block);
                block.iter().for_each(|lane| self.lanes[*lane].begin(now));
                block.into_iter().for_each(|lane| self.settle(lane, None));
            }
            Next::Transfer { lane, pipe } => self.start_transfer(lane, pipe),
        }
    }

    fn start_transfer(&mut self, lane: usize, pipe: usize) {
        let Some(moving) = self.lanes[lane].pipes[pipe].moving else { return };
        let work = &self.recording.works[moving.instruction.work as usize];
        let first = moving.ranges.first as usize;
        let ranges = &self.lanes[lane].stream.ranges[first..first + moving.ranges.count as usize];
        let (mut hits, mut misses) = (0, 0);
        for (start, index) in ranges {
            let lines = self.cache.access(&self.recording.range(*start, *index));
            hits += lines.hits;
            misses += lines.misses;
        }
        let line = self.cache.line();
        let missed = (misses * line) as f64;
        self.traffic.bytes += work.load.bytes;
        self.traffic.lines += hits + misses;
        self.traffic.hits += hits;
        self.traffic.memory_bytes += misses * line;
        let bytes = work.load.bytes as f64;
        self.shared.start(Transfer { lane, pipe, bytes, most: moving.time.rate, missed });
    }

    /// Runs a lane, after the transfer of a pipe of it has ended if one is given, and all lanes that it wakes.
    fn settle(&mut self, lane: usize, mut moved: Option<usize>) {
        let (mut ready, mut transfers) =
            (std::mem::take(&mut self.ready), std::mem::take(&mut self.transfers));
        ready.push(lane);
        while let Some(index) = ready.pop() {
            if !self.lanes[index].begun {
                continue;
            }
            let now = self.shared.now();
            let mut around = Around {
                recording: self.recording,
                device: self.device,
                durations: &self.durations,
                signals: &mut self.signals,
                waiters: &mut self.waiters,
                ready: &mut ready,
                history: &mut self.history,
                transfers: &mut transfers,
                stalls: &mut self.stalls,
            };
            match moved.take() {
                Some(pipe) => self.lanes[index].moved(pipe, now, &mut around),
                None => self.lanes[index].wake_all(),
            }
            self.lanes[index].run(&mut around);
            for (time, pipe) in transfers.drain(..) {
                self.at(time.max(now), Next::Transfer { lane: index, pipe });
            }
            self.end_block(index);
            if self.history.is_full() {
                let Engine { history, lanes, signals, .. } = self;
                history.forget(&mut |see| {
                    lanes.iter_mut().for_each(|lane| lane.moments(see));
                    signals.iter_mut().flatten().for_each(see);
                });
            }
        }
        (self.ready, self.transfers) = (ready, transfers);
    }

    /// If the block of a lane has ended, its slot takes the next one.
    fn end_block(&mut self, lane: usize) {
        let slot = self.slot_of[lane];
        let running = &self.slots[slot].running;
        if !running.contains(&lane) {
            return;
        }
        let ends: Option<Vec<Moment>> = running.iter().map(|lane| self.lanes[*lane].end()).collect();
        let Some(ends) = ends else { return };
        let end = ends.into_iter().fold(0.0, |last: f64, end| last.max(end.at));
        for lane in self.slots[slot].running.drain(..) {
            self.lanes[lane].clear();
        }
        if !self.slots[slot].blocks.is_empty() {
            let start = end + self.device.block_start.value * self.device.clock.value;
            self.at(start.max(self.shared.now()), Next::Block { slot });
        }
    }

    /// Why a lane has not ended.
    fn stuck(&self, lane: &Lane<'_>) -> Diagnostic {
        let block = lane.stream.core.block;
        let waiting = self.slots.iter().map(|slot| slot.blocks.len()).sum::<usize>();
        let step = lane.blocked(self.recording);
        let message = match waiting > 0 {
            true => format!(
                "block {block} waits for a block that the device cannot run beside it: {} blocks run at a time",
                self.slots.len()
            ),
            false if self.recording.is_truncated => {
                format!("block {block} waits for something after the end of the recording")
            }
            false => format!("block {block} waits without end: {}", self.waits_for(step)),
        };
        let error = Diagnostic::error(&rules::cores::DEADLOCK, message);
        match step.and_then(Step::waits_at) {
            Some(source) => error.at(self.recording.sources[source as usize].span),
            None => error,
        }
    }

    /// Description of the event that a step waits for, in the words of the program.
    fn waits_for(&self, step: Option<Step>) -> String {
        let name = step.and_then(Step::waits_at).map(|source| &self.recording.sources[source as usize].name);
        let name = name.map_or("an instruction", String::as_str);
        match step {
            Some(Step::Wait { flag, .. }) => {
                let FlagKey { from, to, id } = self.recording.flags[flag as usize];
                let (from, to) = (from.word(), to.word());
                format!(
                    "`{name}[<PIPE_{from}>, <PIPE_{to}>, <EVENT_ID{id}>]` has no set_flag that comes before it"
                )
            }
            Some(Step::Acquire { pipe, token, .. }) => {
                format!("`{name}` of {} acquires buffer {token}, which is not released", pipe.word())
            }
            Some(Step::Hear { pipe, .. }) => {
                format!("`{name}` of {} waits for a signal of another core that does not come", pipe.word())
            }
            _ => format!("`{name}` waits for pipes that do not end"),
        }
    }
}

/// Deals the blocks of a recording to the cores of a device, round robin. Returns the slots, the slot of each lane, and
/// whether slots are cube cores.
fn deal(recording: &Recording, device: &Device) -> (Vec<Slot>, Vec<usize>, bool) {
    let mut blocks: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (lane, stream) in recording.streams.iter().enumerate() {
        blocks.entry((stream.core.rank, stream.core.block)).or_default().push(lane);
    }
    let with_cube = blocks.values().any(|lanes| lanes.len() > 1)
        || recording.streams.iter().any(|stream| uses_cube(recording, stream));
    let cores = if with_cube { device.cube_cores } else { device.vector_cores };
    let ranks = blocks.keys().map(|(rank, _)| rank + 1).max().unwrap_or(1);
    let per_rank = blocks.keys().map(|(_, block)| block + 1).max().unwrap_or(1).min(cores);
    let mut slots: Vec<Slot> = (0..ranks * per_rank).map(|_| Slot::default()).collect();
    let mut slot_of = vec![0; recording.streams.len()];
    for ((rank, block), lanes) in blocks {
        let slot = (rank * per_rank + block % per_rank) as usize;
        lanes.iter().for_each(|lane| slot_of[*lane] = slot);
        slots[slot].blocks.push_back(lanes);
    }
    (slots, slot_of, with_cube)
}

/// Whether a core runs instructions of the cube core.
fn uses_cube(recording: &Recording, stream: &Stream) -> bool {
    let of_cube = |pipe: &Pipe| matches!(pipe, Pipe::Matrix | Pipe::Mte1 | Pipe::Fixpipe);
    stream.core.kind == CoreKind::Cube
        || (stream.core.kind == CoreKind::Whole
            && recording.works.iter().any(|work| work.phases.iter().any(of_cube)))
}
