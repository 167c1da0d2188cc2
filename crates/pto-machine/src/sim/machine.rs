//! The state of a launch and its run.

mod accesses;
mod accumulators;
mod audit;
mod control;
mod core;
mod flags;
mod live;
mod memory;
mod options;
mod parallel;
mod pending;
mod queues;
mod report;
mod schedule;
mod step;
mod tell;

pub use self::audit::{Audit, Shown};
use self::core::NEVER;
pub(super) use self::core::{Core, Frame};
pub(super) use self::memory::Spares;
pub(super) use super::code::CoreKind;
use super::code::Program;
use super::coverage::Coverage;
use super::event::{CoreId, Place, What};
use super::observer::{Observer, Observers};
use super::order::Order;
pub use control::Control;
pub use options::{DEFAULT_MAX_STEPS, Options};
pub use pending::Schedule;
use pto_isa::diag::Diagnostic;
use pto_isa::exec::global::{Global, GlobalBuffer, MAX_BUFFERS, MAX_RANKS};
use pto_isa::exec::storage::Storage;
use pto_isa::rules;
pub(super) use schedule::{Block, Pause};
pub(super) use step::fits;

/// Text that the program printed, or a dump.
pub type Printed = String;

/// An argument of a launch.
#[derive(Clone, Debug)]
pub enum Value {
    /// Global memory.
    Buffer {
        /// Contents, little endian.
        bytes: Storage,
    },
    /// A scalar, as the bits of its type.
    Scalar(u64),
    /// An address in a buffer argument of some rank, which may be the same one.
    Peer {
        /// The rank.
        rank: u32,
        /// The argument's number.
        argument: usize,
        /// Bytes from the start of that buffer.
        offset: u64,
    },
    /// A property of the launch, filled in by the machine.
    Launch,
}

impl Value {
    /// Global memory that the launch owns, with these contents, little endian.
    pub fn buffer(bytes: Vec<u8>) -> Value {
        Value::Buffer { bytes: bytes.into() }
    }
}

/// Results of a launch.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The buffer arguments in order, those of the first rank first.
    pub buffers: Vec<BufferState>,
    /// Printed text and dumps, in order.
    pub printed: Vec<Printed>,
    /// Extensions and lints found at run time.
    pub warnings: Vec<Diagnostic>,
    /// Result of the audit, if [`Options::audit`] requested one.
    pub audit: Audit,
    /// Steps that were run.
    pub steps: u64,
    /// Tile instructions that were run.
    pub instructions: u64,
    /// For each function, in the order of [`Program::functions`], and each of its operations, by index, how often it ran: as
    /// a tile instruction, or as an operation that orders pipes or cores. Other operations have 0.
    pub executed: Vec<Vec<u64>>,
    /// Number of block memories: the most blocks that ran or waited at the same time.
    pub memories: usize,
}

/// One buffer after a launch.
#[derive(Clone, Debug, Default)]
pub struct BufferState {
    /// Contents of the buffer.
    pub bytes: Storage,
    /// Whether the program may have written to the buffer.
    pub written: bool,
    /// Extents of the first view that covers the whole buffer.
    pub shape: Option<Vec<u64>>,
}

/// A launch in progress: its program, options, observers and state.
pub(in crate::sim) struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) options: &'p Options,
    /// Observers of events.
    pub(super) observers: Observers<'p>,
    pub(super) state: &'p mut LaunchState,
}

/// Progress of a launch.
pub(in crate::sim) struct LaunchState {
    /// Arguments of each rank; buffers are in global memory.
    pub(super) values: Vec<Vec<Value>>,
    pub(in crate::sim) global: Global,
    /// Address of each buffer of each rank, in the order of arguments; 0 for scalars.
    pub(super) addresses: Vec<Vec<u64>>,
    /// Whether messages name ranks.
    pub(in crate::sim) has_ranks: bool,
    pub(in crate::sim) outcome: Outcome,
    /// For a measuring launch: the bytes reached in each buffer.
    pub(super) reach: Option<Vec<u64>>,
    /// For each buffer, the extents of the first view that covers all of it, and the block that made the view.
    pub(super) shapes: Vec<Option<(u64, Vec<u64>)>>,
    /// Findings at run time, one for each rule and operation.
    pub(super) reports: Vec<report::Report>,
    /// Queues and flags between the cores of the running block.
    pub(super) exchange: queues::Exchange,
    /// Names of the buffers, for messages.
    pub(in crate::sim) names: Vec<String>,
    /// Number of runs of each operation.
    pub(super) coverage: Coverage,
    /// Number of instructions so far that may have changed anything but scalars of their own core.
    pub(in crate::sim) changes: u64,
    /// The accesses of the instruction that events are sent of.
    accesses: accesses::Accesses,
    /// Flags between blocks.
    pub(super) across: flags::Flags,
    /// Whether pipes run independently, under a schedule other than program order.
    pub(super) asynchronous: bool,
    /// The time at which the launch is stopped.
    deadline: Option<std::time::Instant>,
    /// State shared with other workers that run blocks of this launch in parallel.
    pub(super) worker: Option<parallel::Worker>,
}

impl Program {
    /// Runs the program. Observers see its events, and each has a result of its own afterwards, also if the run stops.
    ///
    /// # Errors
    /// The reason why the run stopped: a rule that run-time values break, a view outside its buffer, an endless loop.
    pub fn launch(
        &self,
        values: Vec<Value>,
        options: &Options,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Outcome, Vec<Diagnostic>> {
        self.launch_ranks(vec![values], options, observers)
    }

    /// Runs the program on several ranks, each with its own arguments and its own memory. A rank accesses the memory of another
    /// one through [`Value::Peer`] or of [`rank_base`](pto_isa::exec::global::rank_base).
    ///
    /// # Errors
    /// As for one rank ([`Program::launch`]), and a deadlock between ranks.
    pub fn launch_ranks(
        &self,
        ranks: Vec<Vec<Value>>,
        options: &Options,
        observers: &mut [&mut dyn Observer],
    ) -> Result<Outcome, Vec<Diagnostic>> {
        let mut state = LaunchState::new(self, ranks, options)?;
        let mut machine =
            Machine { program: self, options, observers: Observers::new(observers), state: &mut state };
        machine.blank();
        let run = machine.run_blocks();
        machine.observers.finish(self, &machine.state.names);
        run.map(|()| state.finish())
    }
}

impl LaunchState {
    /// A launch that has not begun, with these arguments for each rank.
    ///
    /// # Errors
    /// If they are not those of the program.
    pub(super) fn new(
        program: &Program,
        ranks: Vec<Vec<Value>>,
        options: &Options,
    ) -> Result<LaunchState, Vec<Diagnostic>> {
        let function = &program.module.functions[program.entry()];
        let wanted = function.arguments.len();
        let fail = |message| Err(vec![Diagnostic::error(&rules::run::ARGUMENTS, message)]);
        if let Some(values) = ranks.iter().find(|values| values.len() != wanted) {
            return fail(format!("the function takes {wanted} arguments, but {} are given", values.len()));
        }
        let count = ranks.len();
        if count == 0 || count > MAX_RANKS as usize {
            return fail(format!("a launch has 1 to {MAX_RANKS} ranks, not {count}"));
        }
        let is_buffer = |value: &&Value| matches!(value, Value::Buffer { .. });
        let buffers = ranks[0].iter().filter(is_buffer).count();
        if buffers > MAX_BUFFERS
            || ranks.iter().any(|values| values.iter().filter(is_buffer).count() != buffers)
        {
            return fail(format!("each rank takes the same buffers, at most {MAX_BUFFERS}"));
        }
        let names: Vec<&str> =
            function.arguments.iter().map(|argument| function.values[argument.value].name.as_str()).collect();
        let asynchronous = options.schedule != pending::Schedule::Program
            && Order::of(program, options.sync_inserted) != Order::Program;
        let mut state = LaunchState {
            values: ranks,
            shapes: vec![None; buffers * count],
            asynchronous,
            deadline: control::deadline(options),
            ..LaunchState::empty(program, Global::new(buffers))
        };
        for (rank, values) in state.values.iter_mut().enumerate() {
            let mut take = |(value, name): (&mut Value, &&str)| match value {
                Value::Buffer { bytes } => {
                    let of_rank = if rank > 0 { format!(" of rank {rank}") } else { String::new() };
                    state.names.push(format!("`%{name}`{of_rank}"));
                    let name = if count > 1 { format!("{name}@{rank}") } else { (*name).to_owned() };
                    state.global.add(name, std::mem::take(bytes))
                }
                _ => 0,
            };
            state.addresses.push(values.iter_mut().zip(&names).map(&mut take).collect());
        }
        state.has_ranks = state.addresses.len() > 1;
        Ok(state)
    }

    /// A launch without arguments.
    pub(super) fn empty(program: &Program, global: Global) -> LaunchState {
        LaunchState {
            values: Vec::new(),
            global,
            addresses: Vec::new(),
            has_ranks: false,
            outcome: Outcome::default(),
            reach: None,
            shapes: Vec::new(),
            reports: Vec::new(),
            exchange: queues::Exchange::default(),
            names: Vec::new(),
            coverage: Coverage::of(program),
            changes: 0,
            accesses: accesses::Accesses::default(),
            across: flags::Flags::default(),
            asynchronous: false,
            deadline: None,
            worker: None,
        }
    }

    /// The state of a worker, which runs blocks of this launch on `global`.
    pub(super) fn of_worker(
        &self,
        program: &Program,
        global: Global,
        worker: parallel::Worker,
    ) -> LaunchState {
        LaunchState {
            values: self.values.clone(),
            addresses: self.addresses.clone(),
            has_ranks: self.has_ranks,
            shapes: vec![None; self.shapes.len()],
            deadline: self.deadline,
            worker: Some(worker),
            ..LaunchState::empty(program, global)
        }
    }

    pub(in crate::sim) fn finish(mut self) -> Outcome {
        let buffers = self.global.into_buffers().into_iter().zip(self.shapes);
        let state = |(buffer, shape): (GlobalBuffer, Option<(u64, _)>)| BufferState {
            written: buffer.written,
            bytes: buffer.into_bytes(),
            shape: shape.map(|(_, shape)| shape),
        };
        std::mem::take(&mut self.coverage).finish(&mut self.outcome);
        self.outcome.warnings = self.reports.into_iter().flat_map(|report| report.findings).collect();
        self.outcome.buffers = buffers.map(state).collect();
        self.outcome
    }
}

/// Bytes of each buffer that the views of a program reach, from a measuring launch, which runs scalar code only.
pub(super) fn measured(
    program: &Program,
    ranks: Vec<Vec<Value>>,
    options: &Options,
) -> Result<Vec<u64>, Vec<Diagnostic>> {
    let mut state = LaunchState::new(program, ranks, options)?;
    state.reach = Some(vec![0; state.shapes.len()]);
    Machine { program, options, observers: Observers::default(), state: &mut state }.run_blocks()?;
    Ok(state.reach.unwrap_or_default())
}

impl Machine<'_> {
    /// Tells observers of unwritten buffers; if unwritten memory is poisoned, fills them with its pattern.
    fn blank(&mut self) {
        if !self.options.poison && self.observers.is_empty() {
            return;
        }
        for (rank, argument) in &self.options.blank {
            let address =
                self.state.addresses.get(*rank as usize).and_then(|addresses| addresses.get(*argument));
            if let Some((buffer, _)) = address.and_then(|address| self.state.global.locate(*address)) {
                if self.options.poison {
                    self.state.global.blank(buffer, self.options.pattern);
                }
                let core = CoreId { rank: *rank, block: 0, kind: CoreKind::Whole, vector_core: 0 };
                self.tell(core, Place::default(), What::Blank { buffer: buffer as u32 });
            }
        }
    }
}
