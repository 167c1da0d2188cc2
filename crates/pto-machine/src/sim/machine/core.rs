//! State of a core of a block: registers, and the stack of functions.

use super::super::code::{CoreKind, Program};
use super::super::operands::{Given, Operands, RunningCore};
use super::memory::BlockMemory;
use super::pending;
use pto_isa::exec::global::Global;
use pto_isa::exec::registers::Registers;
use pto_isa::exec::state::{Live, View};
use pto_kernels::matmul::Scratch;

/// Deepest nesting of calls.
const MAX_CALLS: usize = 256;

/// State of one core of a block.
pub(in crate::sim) struct Core {
    pub(in crate::sim) memory: BlockMemory,
    pub(in crate::sim) scalars: Vec<u64>,
    pub(in crate::sim) tiles: Vec<Live>,
    /// In an observed live launch, the serial numbers of tiles.
    pub(in crate::sim) serials: Vec<u32>,
    pub(in crate::sim) views: Vec<View>,
    pub(in crate::sim) arrays: Vec<Vec<u64>>,
    pub(in crate::sim) scratch: Scratch,
    pub(in crate::sim) registers: Registers,
    /// For each function, the states of tiles that its instructions were checked for.
    pub(in crate::sim) seen: Vec<Vec<Live>>,
    pub(in crate::sim) frames: Vec<Frame>,
    pub(in crate::sim) rank: u32,
    pub(in crate::sim) block: u32,
    pub(in crate::sim) vector_core: u32,
    pub(in crate::sim) vector_cores: u32,
    /// Kind of the core.
    pub(in crate::sim) kind: CoreKind,
    /// Issued instructions that the core's pipes have not run, under a schedule other than program order.
    pub(in crate::sim) pending: Option<Box<pending::Pending>>,
    /// Whether the core waits at a barrier of cores.
    pub(in crate::sim) arrived: bool,
    /// Value that the counter of that barrier must reach.
    pub(in crate::sim) target: u64,
    /// Whether the core's current instruction has begun, was reported to observers, and waits.
    pub(in crate::sim) begun: bool,
}

/// A function in progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::sim) struct Frame {
    pub(in crate::sim) function: usize,
    /// Step at which the caller continues after the return.
    pub(in crate::sim) resume: u32,
    /// The caller's list of arguments and results.
    pub(in crate::sim) list: u32,
    pub(in crate::sim) scalars: usize,
    pub(in crate::sim) tiles: usize,
    pub(in crate::sim) views: usize,
    pub(in crate::sim) arrays: usize,
}

impl Core {
    pub(super) fn new(program: &Program) -> Core {
        Core {
            memory: BlockMemory::default(),
            scalars: Vec::new(),
            tiles: Vec::new(),
            serials: Vec::new(),
            views: Vec::new(),
            arrays: Vec::new(),
            scratch: Scratch::default(),
            registers: Registers::default(),
            seen: Core::unseen(program),
            frames: Vec::new(),
            rank: 0,
            block: 0,
            vector_core: 0,
            vector_cores: 1,
            kind: CoreKind::Whole,
            pending: None,
            arrived: false,
            target: 0,
            begun: false,
        }
    }

    /// For each function, tile states of instructions that were not checked yet. A core of a growing program adds
    /// them when it enters a function.
    fn unseen(program: &Program) -> Vec<Vec<Live>> {
        let functions = program.functions.iter().filter(|_| !program.grows);
        functions.map(|code| vec![NEVER; code.seen as usize]).collect()
    }

    /// Clears the tile states for which its instructions were checked.
    pub(super) fn forget(&mut self) {
        self.seen.iter_mut().for_each(|seen| seen.fill(NEVER));
    }

    pub(in crate::sim) fn push_frame(
        &mut self,
        program: &Program,
        function: usize,
        resume: u32,
        list: u32,
    ) -> bool {
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

    /// The data of the core that footprints need.
    pub(in crate::sim) fn running(&self, program: &Program) -> RunningCore {
        let vector_stride = program.map.vector_stride as u64;
        RunningCore { rank: self.rank, block: self.block, vector_core: self.vector_core, vector_stride }
    }

    /// Values of the operands of instructions of a frame.
    pub(super) fn given(&self, frame: Frame) -> Given<'_> {
        let (tiles, views) = (&self.tiles[frame.tiles..], &self.views[frame.views..]);
        Given { tiles, views, scalars: &self.scalars[frame.scalars..] }
    }

    /// The operands of the instructions of a frame.
    pub(in crate::sim) fn operands<'a>(
        &'a self,
        program: &Program,
        frame: Frame,
        global: &'a Global,
    ) -> Operands<'a> {
        self.given(frame).to(self.running(program), global)
    }

    pub(in crate::sim) fn pop_frame(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.scalars.truncate(frame.scalars);
        self.tiles.truncate(frame.tiles);
        self.views.truncate(frame.views);
        self.arrays.truncate(frame.arrays);
        Some(frame)
    }
}

/// A state that no tile has.
pub(super) const NEVER: Live = Live { address: usize::MAX, rows: u32::MAX, cols: u32::MAX };
