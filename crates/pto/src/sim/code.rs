//! The flat program: instructions with resolved operands and jump targets.

use super::footprint::Footprint;
use super::value::ValueStep;
use crate::analysis::Facts;
use crate::exec::state::{Execute, Slot};
use crate::ir::{FunctionId, OperationId};
pub(crate) use crate::isa::meaning::LaunchFact;
use crate::isa::op::epilogue::Epilogue;
use crate::isa::pipe::Pipe;
use crate::isa::profile::Profile;
use crate::isa::scalar::{Binary, Cast, Compare, Width};
use crate::isa::tile::TileType;
use pto_kernels::{BinaryOp, Element};
use std::ops::Range;

/// Where an extent or an address comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// Known.
    Fixed(u32),
    /// In a scalar slot.
    Slot(u32),
}

/// Where a tile is put.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TilePlace {
    /// At this byte of the block's memory.
    Fixed(usize),
    /// At the byte offset in a scalar slot, in the buffer that starts at `base` and holds `capacity` bytes.
    Slot { slot: u32, base: usize, capacity: u64, bytes: u64 },
}

/// One step of a run. Slots are relative to the frame of the function.
///
/// The number of the variant stands in a byte of its own, since it is asked for at each step.
#[derive(Clone, Debug)]
#[repr(u8)]
pub(crate) enum Step {
    Constant {
        to: u32,
        bits: u64,
    },
    Copy {
        to: u32,
        from: u32,
    },
    CopyTile {
        to: u32,
        from: u32,
    },
    CopyView {
        to: u32,
        from: u32,
    },
    CopyArray {
        to: u32,
        from: u32,
    },
    Binary {
        op: Binary,
        width: Width,
        to: u32,
        a: u32,
        b: u32,
    },
    FloatBinary {
        op: BinaryOp,
        element: Element,
        to: u32,
        a: u32,
        b: u32,
    },
    FloatNegate {
        element: Element,
        to: u32,
        from: u32,
    },
    Compare {
        op: Compare,
        width: Width,
        to: u32,
        a: u32,
        b: u32,
    },
    CompareFloat {
        predicate: String,
        element: Element,
        to: u32,
        a: u32,
        b: u32,
    },
    Cast {
        cast: Cast,
        to: u32,
        from: u32,
    },
    Jump(u32),
    /// Goes on if the scalar is not zero, else jumps.
    Unless {
        condition: u32,
        target: u32,
    },
    /// Jumps if the scalar is this value.
    JumpIfEqual {
        slot: u32,
        value: u64,
        target: u32,
    },
    /// Leaves a counted loop: jumps unless `at < upper` as signed numbers.
    LoopTest {
        at: u32,
        upper: u32,
        width: Width,
        exit: u32,
    },
    /// Goes round: adds the step and jumps.
    LoopNext {
        at: u32,
        step: u32,
        width: Width,
        head: u32,
    },
    /// A loop's step must be positive.
    PositiveIncrement {
        step: u32,
        width: Width,
    },
    Alloc {
        to: u32,
        place: TilePlace,
        rows: Extent,
        cols: Extent,
        limit: (u32, u32),
    },
    /// `first`: where the extents, then the strides start in the list of the function.
    MakeView {
        to: u32,
        pointer: u32,
        first: u32,
        rank: u8,
        bits: u32,
    },
    Partition {
        to: u32,
        from: u32,
        first: u32,
        rank: u8,
        bits: u32,
    },
    AddPointer {
        to: u32,
        pointer: u32,
        offset: u32,
        bytes: u32,
    },
    ViewDim {
        to: u32,
        view: u32,
        index: u32,
        stride: bool,
    },
    NewArray {
        to: u32,
        length: u32,
    },
    ArrayGet {
        to: u32,
        array: u32,
        first: u32,
        shape: u32,
        rank: u8,
    },
    ArraySet {
        array: u32,
        value: u32,
        first: u32,
        shape: u32,
        rank: u8,
    },
    Launch {
        to: u32,
        what: LaunchFact,
    },
    /// Runs the instruction of this index.
    Tile(u32),
    /// Runs the exchange between cores of this index.
    Exchange(u32),
    /// Begins the part that the cube core runs, up to `end`.
    CubeBegin {
        end: u32,
    },
    /// Begins the part that each vector core runs, up to `end`.
    VectorBegin {
        end: u32,
    },
    /// Repeats that part for the other vector core, from `head` on.
    VectorEnd {
        head: u32,
    },
    Call {
        function: u32,
        first: u32,
    },
    Return {
        first: u32,
    },
    Value(ValueStep),
    /// Orders pipes, by the step of this index: nothing to do in program order.
    Sync(u32),
    /// Nothing to do: hints.
    Nothing,
}

/// What orders the pipes of a core.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SyncStep {
    /// Sets a flag from one pipe to another, or waits for it.
    Flag {
        sets: bool,
        from: Pipe,
        to: Pipe,
        id: Extent,
    },
    Barrier(Pipe),
    /// All pipes go on after what one of them has done.
    Behind(Pipe),
    /// Takes a buffer token, or gives it back.
    Token {
        acquires: bool,
        pipe: Pipe,
        token: u32,
    },
}

/// Which queue, and which way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    pub(crate) id: i128,
    pub(crate) to_vector: bool,
    /// 0 not split, 1 by rows, 2 by columns, 3 and 4 the same with an odd number.
    pub(crate) split: u8,
}

/// An entry in global memory.
#[derive(Clone, Debug)]
pub(crate) struct GlobalEntry {
    /// The view that becomes it.
    pub(crate) to: u32,
    pub(crate) shape: Vec<u64>,
    /// Bits of an element.
    pub(crate) bits: u32,
}

/// A step by which cores exchange tiles and flags: of a queue, a flag, or a meeting.
#[derive(Clone, Debug)]
pub(crate) enum ExchangeStep {
    Open {
        id: i128,
        /// To the cube core, to the vector cores.
        directions: [bool; 2],
        slots: u32,
        local: u32,
        size: u64,
        /// Where the consumers' slots start: scalar slots, by direction.
        bases: [Option<u32>; 2],
        /// The first slot in global memory: a view or a pointer.
        global: Option<Slot>,
        /// What happens to the elements of accumulators on their way in.
        epilogue: Option<Epilogue>,
    },
    Push {
        route: Route,
        tile: u32,
        ty: TileType,
        /// What happens to the elements, and the format that they get.
        epilogue: Option<(Epilogue, Element)>,
    },
    Pop {
        route: Route,
        to: u32,
        ty: TileType,
        /// Valid rows and columns where they are given.
        extents: [Option<u32>; 2],
    },
    Free {
        route: Route,
    },
    /// Finds the slot in global memory that comes next: a free one to fill, or a full one to read.
    Take {
        route: Route,
        entry: GlobalEntry,
        allocates: bool,
    },
    /// Says that a slot in global memory is full.
    Commit {
        route: Route,
    },
    /// Sets a flag of other cores, or waits for one.
    Signal {
        set: bool,
        reach: FlagReach,
        id: Extent,
        /// The pipe that sets it when it comes to it, or waits.
        pipe: Pipe,
    },
    /// Waits until all cores have come as far.
    Meet(Meeting),
}

/// Between which cores a flag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FlagReach {
    /// The cube core and one vector core of its block, which the number names.
    Core,
    /// The cube core and all vector cores of its block: one flag of the cube core is for all of them, and it waits for
    /// all of theirs.
    Block,
    /// The vector cores of a block.
    VectorCores,
    /// All cores of a kind, in all blocks.
    Blocks,
    /// All cores of a meeting.
    Meeting,
}

/// A barrier of cores of all blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// Whether cube cores come.
    pub(crate) cube: bool,
    /// Whether vector cores come.
    pub(crate) vector: bool,
    /// The counter in global memory of the barrier.
    pub(crate) workspace: Option<Slot>,
    /// A scalar that says how many come; without it, or if it is 0, all.
    pub(crate) used: Option<u32>,
}

/// The core that a function is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CoreKind {
    /// Whatever the program needs, in the order in which it is written.
    Whole,
    Cube,
    /// Of this index.
    Vector(u32),
}

impl CoreKind {
    /// The index among the cores of its kind.
    pub(crate) fn index(self) -> usize {
        match self {
            CoreKind::Whole | CoreKind::Cube => 0,
            CoreKind::Vector(index) => index as usize,
        }
    }

    /// The name in messages.
    pub(crate) fn name(self) -> String {
        match self {
            CoreKind::Whole => "the core".into(),
            CoreKind::Cube => "the cube core".into(),
            CoreKind::Vector(index) => format!("vector core {index}"),
        }
    }
}

/// One core's run of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strand {
    pub(crate) kind: CoreKind,
    /// The index among the vector cores, for one that is none 0.
    pub(crate) vector_core: u32,
    /// The function that it begins with.
    pub(crate) entry: u32,
}

/// An instruction at one place of the program.
pub(crate) struct TileStep {
    pub(crate) execute: Box<dyn Execute>,
    pub(crate) operation: OperationId,
    /// Slots of its operands and results, in the order of its site.
    pub(crate) slots: Vec<Slot>,
    /// What it touches, and on which pipes.
    pub(crate) footprint: Footprint,
    /// Whether it leaves numbers for the scalar unit.
    pub(crate) gives_scalars: bool,
    /// Tiles whose valid region or address is not known before the run: index into the list of last seen
    /// states, and how many.
    pub(crate) watched: Vec<u32>,
    /// Where those are remembered.
    pub(crate) seen: u32,
}

/// A function of a flat program.
#[derive(Default)]
pub(crate) struct FunctionCode {
    /// What is known of its values before the run.
    pub(crate) facts: Facts,
    pub(crate) id: Option<FunctionId>,
    pub(crate) steps: Vec<Step>,
    /// The operation that each step comes from.
    pub(crate) origins: Vec<OperationId>,
    pub(crate) tiles: Vec<TileStep>,
    pub(crate) exchanges: Vec<ExchangeStep>,
    pub(crate) syncs: Vec<SyncStep>,
    /// The kernel kind that the function has: whether it is for the vector cores.
    pub(crate) for_vector: Option<bool>,
    /// Lists of slots that steps refer to.
    pub(crate) lists: Vec<Slot>,
    /// Shapes of local arrays.
    pub(crate) shapes: Vec<u64>,
    pub(crate) scalar_slots: u32,
    pub(crate) tile_slots: u32,
    pub(crate) view_slots: u32,
    pub(crate) array_slots: u32,
    pub(crate) arguments: Vec<Slot>,
    /// Remembered states that its instructions need.
    pub(crate) seen: u32,
}

/// Where each buffer starts in the memory of a block, and how large that memory is.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MemoryMap {
    /// First byte of each buffer, in the order of [`crate::isa::Buffer::ALL`].
    pub(crate) base: [usize; 9],
    /// First byte of the tiles that are placed automatically, outside UB and in UB.
    pub(crate) automatic: usize,
    pub(crate) automatic_vector: usize,
    /// Distance between the two vector cores.
    pub(crate) vector_stride: usize,
    /// Room that holds no tile.
    pub(crate) spare: (usize, usize),
    /// Bytes in all.
    pub(crate) bytes: usize,
}

/// A decoded program.
pub struct Program {
    pub(crate) module: crate::ir::Module,
    pub(crate) profile: Profile,
    pub(crate) functions: Vec<FunctionCode>,
    pub(crate) map: MemoryMap,
    /// The bytes of a block's memory that it may write, but for the spare room.
    pub(crate) written: Vec<Range<usize>>,
    /// The cores of a block: side by side if they talk, else one after the other.
    pub(crate) strands: Vec<Strand>,
    /// Whether a core may have to wait for another one.
    pub(crate) waits: bool,
    /// Whether a block may have to wait for another one.
    pub(crate) blocks_wait: bool,
    /// Memories of blocks of former launches.
    pub(in crate::sim) spares: super::machine::Spares,
}

impl Program {
    /// A function by its number in the program: its code, and what it was decoded from.
    pub(crate) fn function_at(&self, number: u32) -> Option<(&FunctionCode, &crate::ir::Function)> {
        let code = self.functions.get(number as usize)?;
        Some((code, &self.module.functions[code.id.unwrap_or(self.entry())]))
    }

    /// Where each buffer starts in the memory of a block.
    pub(crate) fn map(&self) -> &MemoryMap {
        &self.map
    }

    /// The number of vector cores that run side by side.
    pub(crate) fn vector_strands(&self) -> usize {
        self.strands.iter().filter(|strand| strand.kind != CoreKind::Cube).count()
    }
}
