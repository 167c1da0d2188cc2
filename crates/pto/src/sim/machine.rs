//! The state of a launch and its run.

mod enter;
mod flags;
mod pipes;
mod place;
mod report;
mod step;
mod strands;
mod tile;

pub(super) use super::code::CoreKind;
use super::code::Program;
use crate::diag::Diagnostic;
use crate::isa::op::global::{Global, GlobalBuffer};
use crate::isa::op::registers::CubeRegisters;
use crate::isa::op::state::{IndexUnit, Live, View};
use pto_kernels::matmul::Scratch;

/// How a launch runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// Blocks to run, one after the other.
    pub blocks: u32,
    /// Steps after which a block is stopped.
    pub max_steps: u64,
    /// Tiles to report after an operation has run.
    pub dumps: Vec<Dump>,
    /// Run every instruction by its formula instead of its fast path.
    pub by_formula: bool,
    /// Find the last tile instruction that writes this byte of this buffer, counted among buffer arguments.
    pub trace: Option<(usize, u64)>,
    /// What the indices of TCONCAT count; without it bytes, and a lint where that makes a difference.
    pub tconcat_index: Option<IndexUnit>,
}

/// Most steps of a block unless said otherwise: far more than any public kernel takes.
pub const DEFAULT_MAX_STEPS: u64 = 2_000_000_000;

impl Default for Options {
    fn default() -> Self {
        Options {
            blocks: 1,
            max_steps: DEFAULT_MAX_STEPS,
            dumps: Vec::new(),
            by_formula: false,
            trace: None,
            tconcat_index: None,
        }
    }
}

/// A tile to report each time that an operation has run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dump {
    /// The tile's name without `%`.
    pub tile: String,
    /// The operation: any that starts between these bytes of the source.
    pub from: u32,
    /// End of that range.
    pub to: u32,
}

/// Text that the program printed, or a dump.
pub type Printed = String;

/// An argument of a launch.
#[derive(Clone, Debug)]
pub enum Value {
    /// Global memory.
    Buffer {
        /// Contents, little endian.
        bytes: Vec<u8>,
    },
    /// A scalar, as bits of its type.
    Scalar(u64),
    /// A fact of the launch that the machine fills in.
    Launch,
}

/// What a launch left behind.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The buffer arguments, in order.
    pub buffers: Vec<BufferState>,
    /// What was printed, in order.
    pub printed: Vec<Printed>,
    /// Extensions and lints found at run time.
    pub warnings: Vec<Diagnostic>,
    /// Steps that were run.
    pub steps: u64,
    /// Tile instructions that were run.
    pub instructions: u64,
    /// For each operation of the entry function, how often it ran as a tile instruction; by operation index.
    pub executed: Vec<u64>,
    /// The last tile instruction that wrote the byte that [`Options::trace`] names.
    pub writer: Option<Writer>,
}

/// One buffer after a launch.
#[derive(Clone, Debug, Default)]
pub struct BufferState {
    /// Its contents.
    pub bytes: Vec<u8>,
    /// Whether the program may have written to it.
    pub written: bool,
    /// The extents of the first view that covers it whole.
    pub shape: Option<Vec<u64>>,
}

/// A write to global memory.
#[derive(Clone, Debug)]
pub struct Writer {
    /// The operation.
    pub span: crate::diag::Span,
    /// Its name.
    pub name: String,
    /// The block that ran it.
    pub block: u32,
}

/// Deepest nesting of calls.
const MAX_CALLS: usize = 256;

/// What one block has in hand.
pub(super) struct Core {
    pub(super) memory: Vec<u8>,
    pub(super) scalars: Vec<u64>,
    pub(super) tiles: Vec<Live>,
    pub(super) views: Vec<View>,
    pub(super) arrays: Vec<Vec<u64>>,
    pub(super) scratch: Scratch,
    pub(super) registers: CubeRegisters,
    /// For each function, the states of tiles that its instructions were checked for.
    pub(super) seen: Vec<Vec<Live>>,
    pub(super) frames: Vec<Frame>,
    pub(super) block: u32,
    pub(super) vector_core: u32,
    pub(super) vector_cores: u32,
    /// Which core this is.
    pub(super) kind: CoreKind,
    /// Whether it runs beside others: then each runs only what is for it.
    pub(super) aside: bool,
}

/// A function in progress.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    pub(super) function: usize,
    /// Step to go on with when the call returns.
    pub(super) resume: u32,
    /// The caller's list of arguments and results.
    pub(super) list: u32,
    pub(super) scalars: usize,
    pub(super) tiles: usize,
    pub(super) views: usize,
    pub(super) arrays: usize,
}

/// A launch in progress.
pub(crate) struct Machine<'p> {
    pub(super) program: &'p Program,
    pub(super) options: &'p Options,
    pub(super) values: Vec<Value>,
    pub(super) global: Global,
    /// Address of each buffer, in the order of arguments; 0 for scalars.
    pub(super) addresses: Vec<u64>,
    pub(super) outcome: Outcome,
    /// For a measuring launch: the bytes reached in each buffer.
    pub(super) reach: Option<Vec<u64>>,
    /// For each buffer the extents of the first view that covers it whole.
    pub(super) shapes: Vec<Option<Vec<u64>>>,
    /// Run-time findings that have been reported: where the operation starts, and the rule of a lint, or nothing for
    /// what the rules of the operation said together.
    pub(super) reported: Vec<(u32, &'static str)>,
    /// The queues of the running block.
    pub(super) pipes: pipes::Pipes,
}

impl Program {
    /// Runs the program.
    ///
    /// # Errors
    /// What stopped the run: a rule that the run-time values break, a view outside its buffer, an endless loop.
    pub fn launch(&self, values: Vec<Value>, options: &Options) -> Result<Outcome, Vec<Diagnostic>> {
        let mut machine = Machine::new(self, values, options)?;
        machine.run_blocks()?;
        Ok(machine.finish())
    }
}

impl<'p> Machine<'p> {
    pub(super) fn new(
        program: &'p Program,
        values: Vec<Value>,
        options: &'p Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        let function = program.module.functions.iter().find(|(id, _)| *id == program.entry());
        let wanted = function.map_or(0, |(_, function)| function.arguments.len());
        if wanted != values.len() {
            let message = format!("the function takes {wanted} arguments, but {} are given", values.len());
            return Err(vec![Diagnostic::error("arguments", message)]);
        }
        let mut machine = Machine {
            program,
            options,
            values: Vec::new(),
            global: Global::default(),
            addresses: Vec::new(),
            outcome: Outcome::default(),
            reach: None,
            shapes: Vec::new(),
            reported: Vec::new(),
            pipes: pipes::Pipes::default(),
        };
        let names = function.map(|(_, function)| {
            function
                .arguments
                .iter()
                .map(|argument| function.values[argument.value].name.clone())
                .collect::<Vec<_>>()
        });
        for (mut value, name) in values.into_iter().zip(names.unwrap_or_default()) {
            let address = match &mut value {
                Value::Buffer { bytes } => {
                    machine.shapes.push(None);
                    machine.global.add(name, std::mem::take(bytes))
                }
                _ => 0,
            };
            machine.addresses.push(address);
            machine.values.push(value);
        }
        let operations = function.map_or(0, |(_, function)| function.operations.len());
        machine.outcome.executed = vec![0; operations];
        Ok(machine)
    }

    /// A launch that runs scalars only and notes how far views reach.
    pub(super) fn measuring(
        program: &'p Program,
        values: Vec<Value>,
        options: &'p Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut machine = Machine::new(program, values, options)?;
        let buffers = machine.addresses.iter().filter(|address| **address != 0).count();
        machine.reach = Some(vec![0; buffers]);
        Ok(machine)
    }

    pub(super) fn into_reach(self) -> Vec<u64> {
        self.reach.unwrap_or_default()
    }

    /// Runs all blocks, one after the other.
    pub(super) fn run_blocks(&mut self) -> Result<(), Vec<Diagnostic>> {
        if !self.program.strands.is_empty() {
            return self.run_side_by_side();
        }
        let mut core = Core::new(self.program, self.reach.is_none());
        let vector_cores = if self.program.both_vector_cores { 2 } else { 1 };
        for block in 0..self.options.blocks {
            if block > 0 {
                core.clear();
            }
            core.block = block;
            core.vector_cores = vector_cores;
            for vector_core in 0..vector_cores {
                core.vector_core = vector_core;
                self.enter(&mut core, 0);
                self.run(&mut core, &mut 0, &mut self.options.max_steps.clone())?;
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Outcome {
        let buffers = self.global.into_buffers().into_iter().zip(self.shapes);
        let state = |(buffer, shape): (GlobalBuffer, _)| BufferState {
            bytes: buffer.bytes,
            written: buffer.written,
            shape,
        };
        self.outcome.buffers = buffers.map(state).collect();
        self.outcome
    }
}

impl Core {
    fn new(program: &Program, with_memory: bool) -> Core {
        Core {
            memory: vec![0; if with_memory { program.map.bytes } else { 0 }],
            scalars: Vec::new(),
            tiles: Vec::new(),
            views: Vec::new(),
            arrays: Vec::new(),
            scratch: Scratch::default(),
            registers: CubeRegisters::default(),
            seen: program.functions.iter().map(|code| vec![NEVER; code.seen as usize]).collect(),
            frames: Vec::new(),
            block: 0,
            vector_core: 0,
            vector_cores: 1,
            kind: CoreKind::Cube,
            aside: false,
        }
    }

    /// Buffers start as zeros in every block.
    fn clear(&mut self) {
        self.memory.fill(0);
    }

    pub(super) fn push_frame(&mut self, program: &Program, function: usize, resume: u32, list: u32) -> bool {
        if self.frames.len() >= MAX_CALLS {
            return false;
        }
        let code = &program.functions[function];
        let frame = Frame {
            function,
            resume,
            list,
            scalars: self.scalars.len(),
            tiles: self.tiles.len(),
            views: self.views.len(),
            arrays: self.arrays.len(),
        };
        self.scalars.resize(frame.scalars + code.scalar_slots as usize, 0);
        self.tiles.resize(frame.tiles + code.tile_slots as usize, Live::default());
        self.views.resize(frame.views + code.view_slots as usize, View::default());
        self.arrays.resize(frame.arrays + code.array_slots as usize, Vec::new());
        self.frames.push(frame);
        true
    }

    pub(super) fn pop_frame(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.scalars.truncate(frame.scalars);
        self.tiles.truncate(frame.tiles);
        self.views.truncate(frame.views);
        self.arrays.truncate(frame.arrays);
        Some(frame)
    }
}

/// A state that no tile has.
const NEVER: Live = Live { address: usize::MAX, rows: u32::MAX, cols: u32::MAX };
