//! The result of a timeline.

use super::history::History;
use super::lane::{Item, Lane, Moment, PIPES, ScalarItem};
use super::queues::{QueueLevel, levels};
use super::recording::{Recording, Source};
use super::stalls::Stalls;
use pto_isa::device::Device;
use pto_isa::pipe::Pipe;
use std::collections::BTreeMap;

/// The time of one pipe of a core, in cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PipeTime {
    /// While an instruction ran.
    pub busy: f64,
    /// While an issued instruction waited for a flag, a barrier, a token or a signal.
    pub waiting: f64,
    /// While nothing was issued.
    pub idle: f64,
}

/// The time of one core that ran blocks.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CoreTime {
    /// Rank.
    pub rank: u32,
    /// Block.
    pub block: u32,
    /// Name of the core within its block.
    pub core: String,
    /// Cycle at which the core began.
    pub start: f64,
    /// Cycle at which the last result of the core was available.
    pub end: f64,
    /// Pipes of the core that ran an instruction.
    pub pipes: Vec<(Pipe, PipeTime)>,
}

/// Time and number of the executions of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LineTime {
    /// Number of executions, on all cores.
    pub count: u64,
    /// Cycles of its pipe, on all cores.
    pub busy: f64,
    /// Bytes that it moved.
    pub bytes: u64,
    /// Cycles of the critical path.
    pub critical: f64,
}

/// Bound of a part of the critical path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Bound {
    /// The rate of its pipe.
    Compute,
    /// The rate of its path.
    Path,
    /// The memory that all cores share.
    Memory,
    /// The latency of its result.
    Latency,
    /// The scalar unit, or a flag on its way.
    Issue,
    /// The start of the launch or of a block.
    Start,
}

impl Bound {
    /// The words for it.
    pub fn word(self) -> &'static str {
        match self {
            Bound::Compute => "rate of the pipe",
            Bound::Path => "rate of the path",
            Bound::Memory => "memory shared by all cores",
            Bound::Latency => "latency of the result",
            Bound::Issue => "issue and flags",
            Bound::Start => "start of blocks",
        }
    }
}

/// Cycles of the critical path that one operation takes for one reason.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PathPart {
    /// Index among [`Timing::sources`]; `None` for the start.
    pub source: Option<u32>,
    /// Bound of the part.
    pub bound: Bound,
    /// Duration of the part in cycles.
    pub cycles: f64,
}

/// Cycles that executions of one operation waited at one wait.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Stall {
    /// The operation that waited, among [`Timing::sources`].
    pub waiting: u32,
    /// The wait that held it.
    pub held_by: u32,
    /// Cycles, on all cores.
    pub cycles: f64,
}

/// Traffic with global memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Traffic {
    /// Bytes that cores loaded and stored.
    pub bytes: u64,
    /// Lines of the L2 cache that were accessed.
    pub lines: u64,
    /// Number of the accessed lines that were in the cache.
    pub hits: u64,
    /// Bytes moved by the memory below the L2 cache.
    pub memory_bytes: u64,
}

/// Position under the roofline of the device.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Roofline {
    /// Operations of products: two for each multiplication with an addition.
    pub operations: f64,
    /// Operations per second that the launch reached.
    pub reached: f64,
    /// Maximum operations per second of the cube cores of the device.
    pub peak: f64,
    /// Operations per byte moved by the memory below the L2 cache.
    pub intensity: f64,
    /// Operations per second that the memory allows at that intensity.
    pub memory_bound: f64,
}

/// One instruction on one pipe, for traces.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Span {
    /// The core, among [`Timing::cores`].
    pub core: u32,
    /// The pipe.
    pub pipe: Pipe,
    /// The operation, among [`Timing::sources`].
    pub source: u32,
    /// First cycle.
    pub start: f64,
    /// The cycle at which the pipe could begin something else.
    pub end: f64,
    /// The cycle at which its results were there.
    pub done: f64,
    /// The span that it waited for.
    pub cause: Option<u32>,
    /// Cycles directly before `start` in which it was issued, and its pipe ran nothing.
    pub waited: f64,
    /// The flag, token or signal that it waited for in these cycles, as the operation of the wait among [`Timing::sources`];
    /// `None` without such a wait, as after a barrier.
    pub held_by: Option<u32>,
    /// Bytes that it moved.
    pub bytes: u64,
    work: u32,
    /// Index of its step in the stream of its core.
    pub(super) step: u32,
}

/// When a launch ran on a device.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Timing {
    /// Name of the device.
    pub device: String,
    /// Clock of the device in GHz.
    pub clock: f64,
    /// Cycles from the start of the launch to its last result.
    pub cycles: f64,
    /// Cores that ran blocks at the same time.
    pub slots: usize,
    /// Whether these are cube cores with their vector cores; else vector cores.
    pub uses_cube: bool,
    /// The time of each core of each block.
    pub cores: Vec<CoreTime>,
    /// The operations that took time.
    pub sources: Vec<Source>,
    /// Time and count of each operation, by its index among `sources`.
    pub lines: BTreeMap<u32, LineTime>,
    /// The critical path, longest part first.
    pub path: Vec<PathPart>,
    /// Waits, longest first.
    pub stalls: Vec<Stall>,
    /// Traffic with global memory.
    pub traffic: Traffic,
    /// Position under the roofline, if the launch has products.
    pub roofline: Option<Roofline>,
    /// Cycles with perfect overlap: the larger of the time of the busiest pipe and the time of the memory for the
    /// traffic.
    pub overlapped: f64,
    /// Number of instructions on pipes, including those that are not among the [`spans`](Timing::spans).
    pub instructions: u64,
    /// Whether the launch had more steps than were recorded.
    pub is_truncated: bool,
    /// Whether an error stopped the launch. The instructions issued until then are timed.
    pub is_stopped: bool,
    /// Occupancy of the queues between cores over time.
    pub queues: Vec<QueueLevel>,
    spans: Vec<Span>,
    pub(super) scalar: Vec<ScalarItem>,
    shapes: Vec<String>,
}

/// A simulation that has ended.
pub(super) struct Ended<'a> {
    pub(super) lanes: Vec<Lane<'a>>,
    pub(super) history: History<'a>,
    pub(super) stalls: Stalls,
    pub(super) traffic: Traffic,
    pub(super) slots: usize,
    pub(super) uses_cube: bool,
    /// When each signal was set.
    pub(super) signals: Vec<Option<Moment>>,
    pub(super) end: Moment,
    pub(super) path: Vec<PathPart>,
}

/// The pipes of a core by index.
const ALL_PIPES: [Pipe; PIPES] =
    [Pipe::Scalar, Pipe::Vector, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Matrix, Pipe::Fixpipe];

impl Timing {
    pub(super) fn of(recording: &Recording, device: &Device, ended: Ended<'_>) -> Timing {
        let Ended { lanes, history, stalls, traffic, slots, uses_cube, signals, end, path } = ended;
        let spans = spans(&history);
        let History { lines, operations, bits, scalar, count: instructions, .. } = history;
        let lines = (0..).zip(lines).filter(|(_, line)| line.count > 0);
        let mut lines: BTreeMap<u32, LineTime> = lines.collect();
        for part in &path {
            if let Some(source) = part.source {
                lines.entry(source).or_default().critical += part.cycles;
            }
        }
        let cores: Vec<CoreTime> = lanes.iter().map(core).collect();
        let overlapped = overlapped(&cores, slots, device, &traffic);
        let cycles = end.at;
        let seconds = cycles / device.clock.value / 1e9;
        let roofline = (operations > 0.0).then(|| {
            let peak =
                device.products_per_cycle(bits) * f64::from(device.cube_cores) * device.clock.value * 1e9;
            let intensity = operations / (traffic.memory_bytes as f64).max(1.0);
            Roofline {
                operations,
                reached: operations / seconds.max(1e-12),
                peak,
                intensity,
                memory_bound: intensity * device.memory.value * 1e9,
            }
        });
        Timing {
            device: device.name.clone(),
            clock: device.clock.value,
            cycles,
            slots,
            uses_cube,
            cores,
            sources: recording.sources.clone(),
            lines,
            path,
            stalls: stalls.finish(),
            traffic,
            roofline,
            overlapped,
            instructions,
            is_truncated: recording.is_truncated,
            is_stopped: recording.is_stopped,
            queues: levels(recording, &signals),
            spans,
            scalar,
            shapes: recording.works.iter().map(|work| work.shape.to_string()).collect(),
        }
    }

    /// The time in microseconds.
    pub fn microseconds(&self) -> f64 {
        self.micros(self.cycles)
    }

    /// Microseconds of cycles.
    pub fn micros(&self, cycles: f64) -> f64 {
        cycles / self.clock / 1e3
    }

    /// The instructions on each pipe that [`Detail`](super::Detail) keeps, in the order in which they ended.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Whether [`spans`](Timing::spans) lacks instructions: only the first ones are kept.
    pub fn is_cut(&self) -> bool {
        self.instructions > self.spans.len() as u64
    }

    /// The operands of an instruction in short, such as `16x512xf32`.
    pub fn shape(&self, span: &Span) -> &str {
        self.shapes.get(span.work as usize).map_or("", String::as_str)
    }

    /// The share of the time of the launch in which a pipe was busy, on average over the cores that have it.
    pub fn busy(&self, pipe: Pipe) -> f64 {
        let mut busy: BTreeMap<(u32, &str), f64> = BTreeMap::new();
        for core in &self.cores {
            if let Some((_, time)) = core.pipes.iter().find(|(of, _)| *of == pipe) {
                *busy.entry((core.block % self.slots.max(1) as u32, core.core.as_str())).or_default() +=
                    time.busy;
            }
        }
        let count = busy.len().max(1) as f64;
        busy.into_values().sum::<f64>() / count / self.cycles.max(1.0)
    }
}

/// The instructions that have run and are kept.
fn spans(history: &History<'_>) -> Vec<Span> {
    let span = |item: &Item| Span {
        core: item.lane,
        pipe: item.pipe,
        source: history.source(item),
        start: item.start,
        end: item.end,
        done: item.done,
        cause: item.cause.checked_sub(1),
        waited: item.wait.cycles,
        held_by: item.wait.held_by,
        bytes: history.work(item).load.bytes,
        work: item.work,
        step: item.step,
    };
    history.shown().iter().map(span).collect()
}

/// The time of a lane.
fn core(lane: &Lane<'_>) -> CoreTime {
    let end = lane.end().map_or(lane.start, |end| end.at);
    let id = lane.stream.core;
    let mut pipes = Vec::new();
    for (pipe, state) in ALL_PIPES.into_iter().zip(&lane.pipes) {
        let busy = if pipe == Pipe::Scalar { lane.scalar_busy } else { state.busy };
        if busy > 0.0 {
            let idle = (end - lane.start - busy - state.waiting).max(0.0);
            pipes.push((pipe, PipeTime { busy, waiting: state.waiting, idle }));
        }
    }
    let name = id.kind.name();
    let core = name.strip_prefix("the ").unwrap_or(&name).to_owned();
    CoreTime { rank: id.rank, block: id.block, core, start: lane.start, end, pipes }
}

/// Returns the cycles of the busiest pipe of a slot, or the cycles of the memory for the traffic, whichever are more.
fn overlapped(cores: &[CoreTime], slots: usize, device: &Device, traffic: &Traffic) -> f64 {
    let mut busy: BTreeMap<(u32, u32, &str, Pipe), f64> = BTreeMap::new();
    for core in cores {
        for (pipe, time) in &core.pipes {
            let slot = core.block % slots.max(1) as u32;
            *busy.entry((core.rank, slot, core.core.as_str(), *pipe)).or_default() += time.busy;
        }
    }
    let busiest = busy.into_values().fold(0.0, f64::max);
    busiest.max(traffic.memory_bytes as f64 / device.memory_rate())
}
