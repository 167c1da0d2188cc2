//! One core of a block: its scalar unit issues instructions in order (`lane/issue.rs`); its pipes run them (`lane/pipe.rs`).

mod issue;
mod moments;
mod pipe;

use super::history::History;
use super::recording::{Recording, Step, Stream};
use super::stalls::Stalls;
use pto_isa::device::Device;
use pto_isa::op::cost::Duration;
use pto_isa::pipe::Pipe;
use std::collections::{BTreeMap, VecDeque};

/// Number of pipes of a core, the scalar unit among them.
pub(super) const PIPES: usize = 7;

/// A time, and the item that determined it: its index plus one, 0 for the start of the block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Moment {
    pub(super) at: f64,
    pub(super) by: u32,
}

impl Moment {
    pub(super) fn max(self, other: Moment) -> Moment {
        if other.at > self.at { other } else { self }
    }

    pub(super) fn after(self, cycles: f64) -> Moment {
        Moment { at: self.at + cycles, ..self }
    }
}

/// An instruction that has run on a pipe.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) work: u32,
    pub(super) lane: u32,
    /// Index of its step in the stream of its core.
    pub(super) step: u32,
    pub(super) pipe: Pipe,
    pub(super) start: f64,
    /// When the pipe could begin something else.
    pub(super) end: f64,
    /// When its results are there.
    pub(super) done: f64,
    /// Cause of its start: an item plus one, or 0.
    pub(super) cause: u32,
    /// Whether sharing the memory made it longer.
    pub(super) shared: bool,
    pub(super) wait: Wait,
}

/// The time directly before the start of an instruction in which it was issued, and its pipe ran nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wait {
    pub(super) cycles: f64,
    /// The operation of the wait in front of the instruction, among the sources of the recording.
    pub(super) held_by: Option<u32>,
}

/// An instruction with accesses to tiles that a scalar unit has run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScalarItem {
    pub(super) lane: u32,
    /// Index of its step in the stream of its core.
    pub(super) step: u32,
    pub(super) start: f64,
    pub(super) end: f64,
}

/// Ranges of global memory that a transfer accesses, as indices among those of its stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranges {
    pub(super) first: u32,
    pub(super) count: u32,
}

/// A step that waits in front of a pipe.
#[derive(Clone, Copy, Debug)]
struct Queued {
    /// Index in the stream of the core, and number among [`Recording::steps`].
    step: u32,
    number: u32,
    /// Time at which the scalar unit issued the step.
    issued: Moment,
    /// For an instruction, the index of its first range of global memory; for the acquisition of a token, the number of
    /// releases before it.
    detail: u32,
    /// Index of this pipe among the pipes of the instruction.
    phase: u8,
}

/// An instruction that a pipe runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    pub(super) work: u32,
    /// Index of its step in the stream of the core.
    step: u32,
    phase: u8,
    start: Moment,
    wait: Wait,
}

/// A transfer to or from global memory that runs, or is about to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moving {
    pub(super) instruction: Running,
    pub(super) ranges: Ranges,
    pub(super) time: Duration,
}

/// One pipe.
#[derive(Debug, Default)]
pub(super) struct PipeState {
    queue: VecDeque<Queued>,
    /// Instructions that were issued to it, and the starts of the last ones.
    issued: u64,
    started: u64,
    starts: VecDeque<Moment>,
    /// When it can begin something.
    free: Moment,
    /// When everything that it has begun is done.
    done: Moment,
    /// End of its last instruction.
    last_end: f64,
    pub(super) moving: Option<Moving>,
    /// The wait that raised `free` last.
    gate: Option<u32>,
    pub(super) busy: f64,
    pub(super) waiting: f64,
}

impl PipeState {
    /// When it comes to a signal that it gives and that was issued at a moment: after all that it has begun, and after
    /// the waits in front of the signal.
    fn reached(&self, issued: Moment) -> Moment {
        self.done.max(issued).max(self.free)
    }
}

/// A buffer token: how often it was released, and when last.
#[derive(Debug, Default)]
struct Token {
    issued: u32,
    released: u32,
    at: Moment,
}

/// State of the simulation around a lane.
pub(super) struct Around<'a, 'r> {
    pub(super) recording: &'r Recording,
    pub(super) device: &'a Device,
    /// Duration of each work of the recording, in cycles.
    pub(super) durations: &'a [Duration],
    /// When each signal was set.
    pub(super) signals: &'a mut [Option<Moment>],
    /// Lanes that wait for a signal.
    pub(super) waiters: &'a mut BTreeMap<u32, Vec<usize>>,
    /// Lanes to run again.
    pub(super) ready: &'a mut Vec<usize>,
    pub(super) history: &'a mut History<'r>,
    /// Transfers to start: time, pipe.
    pub(super) transfers: &'a mut Vec<(f64, usize)>,
    pub(super) stalls: &'a mut Stalls,
}

/// One core of a block while it runs.
pub(super) struct Lane<'a> {
    pub(super) index: usize,
    pub(super) stream: &'a Stream,
    next: usize,
    /// Number of ranges of global memory of the steps before.
    ranges: u32,
    scalar: Moment,
    pub(super) scalar_busy: f64,
    pub(super) pipes: [PipeState; PIPES],
    /// Pipes that may run the first step of their queue, one bit each; the others wait for an event that has not
    /// happened.
    awake: u8,
    /// Times of sets that no wait has consumed yet, by the index of the flag.
    flags: Vec<VecDeque<Moment>>,
    tokens: BTreeMap<u32, Token>,
    /// Ends of instructions that continue on another pipe, by the indices of their steps.
    phases: BTreeMap<u32, Moment>,
    pub(super) begun: bool,
    pub(super) start: f64,
}

impl<'a> Lane<'a> {
    pub(super) fn new(index: usize, stream: &'a Stream) -> Lane<'a> {
        Lane {
            index,
            stream,
            next: 0,
            ranges: 0,
            scalar: Moment::default(),
            scalar_busy: 0.0,
            pipes: Default::default(),
            awake: 0,
            flags: Vec::new(),
            tokens: BTreeMap::new(),
            phases: BTreeMap::new(),
            begun: false,
            start: 0.0,
        }
    }

    /// A pipe may be able to go on.
    fn wake(&mut self, pipe: Pipe) {
        self.awake |= 1 << pipe as usize;
    }

    /// Any pipe may be able to go on.
    pub(super) fn wake_all(&mut self) {
        self.awake = u8::MAX;
    }

    /// A flag, for which the pipe `to` may wait, is set at a moment.
    fn set(&mut self, flag: u32, to: Pipe, at: Moment) {
        self.wake(to);
        let index = flag as usize;
        if index >= self.flags.len() {
            self.flags.resize_with(index + 1, VecDeque::new);
        }
        self.flags[index].push_back(at);
    }

    /// Takes the first set of a flag that nothing has waited for; `None` if there is none.
    fn take(&mut self, flag: u32) -> Option<Moment> {
        self.flags.get_mut(flag as usize)?.pop_front()
    }

    /// Begins at a time.
    pub(super) fn begin(&mut self, at: f64) {
        (self.begun, self.start) = (true, at);
        self.scalar = Moment { at, by: 0 };
        for pipe in &mut self.pipes {
            (pipe.free.at, pipe.done.at, pipe.last_end) = (at, at, at);
        }
    }

    /// When everything has ended; `None` if something has not.
    pub(super) fn end(&self) -> Option<Moment> {
        (self.next == self.stream.steps.len()).then(|| self.drained()).flatten()
    }

    /// Time at which all pipes have finished their queues; `None` if one of them has not.
    fn drained(&self) -> Option<Moment> {
        let idle = |pipe: &PipeState| pipe.queue.is_empty() && pipe.moving.is_none();
        let all = self.pipes.iter().all(idle);
        all.then(|| self.pipes.iter().fold(self.scalar, |last, pipe| last.max(pipe.done)))
    }

    /// The step at which the lane waits: the first step of a pipe that waits for another operation, or else the step of
    /// the scalar unit.
    pub(super) fn blocked(&self, recording: &Recording) -> Option<Step> {
        let fronts = self.pipes.iter().filter_map(|pipe| pipe.queue.front());
        let mut steps = fronts.map(|first| recording.steps[first.number as usize]);
        steps.find(|step| step.waits_at().is_some()).or_else(|| recording.step(self.stream, self.next))
    }

    /// Runs until everything waits for a transfer or another core, or until the history is full: then it is to be run again.
    pub(super) fn run(&mut self, around: &mut Around<'_, '_>) {
        loop {
            if around.history.is_full() {
                around.ready.push(self.index);
                return;
            }
            let mut moved = false;
            for pipe in 0..PIPES {
                if self.awake & (1 << pipe) == 0 {
                    continue;
                }
                self.awake &= !(1 << pipe);
                while self.step_pipe(pipe, around) {
                    moved = true;
                }
            }
            while self.issue(around) {
                moved = true;
            }
            if !moved {
                return;
            }
        }
    }

    /// Arrival time of a signal. If the signal is not set yet, registers this lane to be resumed when it is.
    fn hear(&self, signal: u32, around: &mut Around<'_, '_>) -> Option<Moment> {
        match around.signals[signal as usize] {
            Some(set) => Some(set.after(around.device.signal.value)),
            None => {
                let waiting = around.waiters.entry(signal).or_default();
                if !waiting.contains(&self.index) {
                    waiting.push(self.index);
                }
                None
            }
        }
    }

    /// Sets a signal, and wakes the lanes that wait for it.
    fn tell(&mut self, signal: u32, at: Moment, around: &mut Around<'_, '_>) {
        around.signals[signal as usize] = Some(at);
        around.ready.extend(around.waiters.remove(&signal).into_iter().flatten());
        self.wake_all();
    }

    /// A token is released at a moment.
    fn release(&mut self, token: u32, at: Moment) {
        let token = self.tokens.entry(token).or_default();
        token.released += 1;
        token.at = token.at.max(at);
        self.wake_all();
    }

    /// A phase of an instruction has ended on its pipe.
    fn end_phase(&mut self, step: u32, at: Moment) {
        self.phases.insert(step, at);
        self.wake_all();
    }
}
