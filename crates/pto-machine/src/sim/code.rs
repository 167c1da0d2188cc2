//! The flat program: instructions with resolved operands and jump targets.

use super::footprint::Footprint;
use super::value::ValueStep;
use pto_isa::exec::state::{Execute, Slot, Tile};
pub(crate) use pto_isa::meaning::LaunchFact;
use pto_isa::meaning::{Binary, Core};
use pto_isa::memory::Buffer;
use pto_isa::op::acc_pitch::PitchUse;
use pto_isa::op::epilogue::Epilogue;
use pto_isa::op::{EntryPipes, Slots};
use pto_isa::pipe::Pipe;
use pto_isa::profile::Profile;
use pto_isa::scalar::{Cast, Compare, Width};
use pto_isa::tile::TileType;
use pto_kernels::{BinaryOp, Element};
use pto_lang::analysis::Facts;
use pto_lang::ir::{FunctionId, OperationId};
use std::ops::Range;

/// The source of an extent or an address.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// Static.
    Fixed(u32),
    /// The value in this scalar slot.
    Slot(u32),
}

/// The source of a tile's address.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TilePlace {
    /// A fixed byte offset in the block's memory.
    Fixed(usize),
    /// Bytes of the block's memory that the machine chose, for a tile without an address; its contents are undefined
    /// at each allocation.
    Fresh { address: usize, bytes: u64, in_ub: bool },
    /// The byte offset in a scalar slot, relative to the buffer that starts at `base` and holds `capacity` bytes.
    Slot { slot: u32, base: usize, capacity: u64, bytes: u64 },
}

/// One step of a run. Slots are relative to the frame of the function.
///
/// The discriminant is one byte, because it is read at every step.
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
    /// Continues if the scalar is not zero, else jumps.
    Unless {
        condition: u32,
        target: u32,
    },
    /// Jumps if the scalar equals a value.
    JumpIfEqual {
        slot: u32,
        value: u64,
        target: u32,
    },
    /// Tests a counted loop: jumps to `exit` unless `at < upper` as signed numbers.
    LoopTest {
        at: u32,
        upper: u32,
        width: Width,
        exit: u32,
    },
    /// Next iteration of a counted loop: adds the step and jumps to `head`.
    LoopNext {
        at: u32,
        step: u32,
        width: Width,
        head: u32,
    },
    /// Checks that the step of a loop is positive.
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
    /// `first`: the index in the function's list of the extents, which the strides follow.
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
    /// Runs the instruction with this index.
    Tile(u32),
    /// Runs the exchange between cores with this index.
    Exchange(u32),
    /// Begins a section of the cube core, which ends at `end`.
    CubeBegin {
        end: u32,
    },
    /// Begins a section of the vector cores, which ends at `end`.
    VectorBegin {
        end: u32,
    },
    /// Repeats the section, from `head`, for the other vector core.
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
    /// Orders pipes by the sync step with this index; no effect in program order.
    Sync(u32),
    /// No effect: a hint.
    Nothing,
    /// Ends the call of a part of a live launch, whose frame stays for its results.
    Done,
}

/// A buffer token.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token {
    /// A token with a constant number.
    Number(u32),
    /// The unit flag of the accumulator in a slot.
    Unit(u32),
}

/// A synchronization of the pipes of a core.
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
    /// All pipes wait for the instructions of this pipe.
    Behind(Pipe),
    /// Acquires or releases a buffer token.
    Token {
        acquires: bool,
        pipe: Pipe,
        token: Token,
    },
}

impl SyncStep {
    /// Whether the step is part of an instruction.
    pub(crate) fn is_part(self) -> bool {
        matches!(self, SyncStep::Token { token: Token::Unit(_), .. })
    }
}

/// A queue as one operation on its entries uses it: direction, split, slots and pipes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    pub(crate) id: i128,
    pub(crate) to_vector: bool,
    /// 0: not split, 1: by rows, 2: by columns, 3 and 4: as 1 and 2, for an odd extent.
    pub(crate) split: u8,
    pub(crate) slots: Slots,
    /// The pipes of the operation, by its page.
    pub(crate) pipes: EntryPipes,
}

/// An entry in global memory.
#[derive(Clone, Debug)]
pub(crate) struct GlobalEntry {
    /// The view of the entry.
    pub(crate) to: u32,
    pub(crate) shape: Vec<u64>,
    /// Bits per element.
    pub(crate) bits: u32,
}

/// A step in which cores exchange entries or flags, or wait at a barrier of cores.
#[derive(Clone, Debug)]
pub(crate) enum ExchangeStep {
    Open {
        id: i128,
        /// Whether the queue has each direction: to the cube core, to the vector cores.
        directions: [bool; 2],
        slots: u32,
        local: u32,
        size: u64,
        /// Addresses of the consumers' slots, as scalar slots, by direction.
        bases: [Option<u32>; 2],
        /// The first slot in global memory: a view or a pointer.
        global: Option<Slot>,
        /// The pointer to the bytes of all slots in global memory, which entries of tiles pass through.
        memory: Option<u32>,
        /// The conversion of pushed accumulator elements.
        epilogue: Option<Epilogue>,
    },
    Push {
        route: Route,
        tile: u32,
        ty: TileType,
        /// The conversion of the elements, and the element type of the result.
        epilogue: Option<(Epilogue, Element)>,
        /// Tiles that may hold the parameters of the conversion, and the operations that set them.
        parameters: Vec<(OperationId, u32, TileType)>,
        /// The access to an accumulator.
        accumulators: Vec<AccumulatorUse>,
    },
    Pop {
        route: Route,
        /// The index of the tile among the operands and results of the operation.
        operand: u16,
        to: u32,
        ty: TileType,
        /// Valid rows and columns, if they are given, as scalar slots.
        extents: [Option<u32>; 2],
    },
    Free {
        route: Route,
    },
    /// Selects the next slot in global memory: a free one to fill, or a full one to read.
    Take {
        route: Route,
        entry: GlobalEntry,
        allocates: bool,
    },
    /// Marks a slot in global memory as full.
    Commit {
        route: Route,
    },
    /// Sets a flag of other cores, or waits for a flag.
    Signal {
        set: bool,
        reach: FlagReach,
        id: Extent,
        /// The pipe that sets the flag or waits for it.
        pipe: Pipe,
    },
    /// Waits until all cores of the barrier have arrived.
    Meet(Meeting),
}

/// The cores that a flag connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlagReach {
    /// The cube core and one vector core of its block, which the flag's number selects.
    Core,
    /// The cube core and all vector cores of its block: one set of the cube core reaches all vector cores, and the
    /// cube core waits for a set of each.
    Block,
    /// The vector cores of a block.
    VectorCores,
    /// All cores of one kind, in all blocks.
    Blocks,
    /// All cores of a barrier.
    Meeting,
}

/// A barrier of cores of all blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// Whether cube cores participate.
    pub(crate) cube: bool,
    /// Whether vector cores participate.
    pub(crate) vector: bool,
    /// The counter in global memory of the barrier.
    pub(crate) workspace: Option<Slot>,
    /// Number of participating cores, as a scalar slot; without it, or if it is 0, all cores.
    pub(crate) used: Option<u32>,
}

/// The kind of core that runs a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoreKind {
    /// One core that runs code of all kinds, in program order.
    Whole,
    /// The cube core.
    Cube,
    /// The vector core with this index.
    Vector(u32),
}

impl CoreKind {
    /// The kind of core; `None` for a core that runs code of all kinds.
    pub(crate) fn core(self) -> Option<Core> {
        match self {
            CoreKind::Whole => None,
            CoreKind::Cube => Some(Core::Cube),
            CoreKind::Vector(_) => Some(Core::Vector),
        }
    }

    /// Index among the cores of its kind.
    pub(crate) fn index(self) -> usize {
        match self {
            CoreKind::Whole | CoreKind::Cube => 0,
            CoreKind::Vector(index) => index as usize,
        }
    }

    /// The name in messages.
    pub fn name(self) -> String {
        match self {
            CoreKind::Whole => "the core".into(),
            CoreKind::Cube => "the cube core".into(),
            CoreKind::Vector(index) => format!("vector core {index}"),
        }
    }
}

/// The execution of a program by one core of a block.
#[derive(Clone, Copy, Debug)]
pub struct Strand {
    /// The kind of the core.
    pub kind: CoreKind,
    /// Vector-core index; 0 for the cube core.
    pub vector_core: u32,
    /// Index of the core's entry function.
    pub(crate) entry: u32,
}

/// One use of an instruction in the program.
pub(crate) struct TileStep {
    pub(crate) execute: Box<dyn Execute>,
    pub(crate) operation: OperationId,
    /// Slots of the operands and results, in the order of the instruction's site.
    pub(crate) slots: Vec<Slot>,
    /// Accesses and pipes of the instruction.
    pub(crate) footprint: Footprint,
    /// The accumulators that the instruction accesses.
    pub(crate) accumulators: Vec<AccumulatorUse>,
    /// Whether the instruction writes scalars that the scalar unit reads.
    pub(crate) gives_scalars: bool,
    /// Whether the instruction may change anything except scalars: bytes, registers, signals.
    pub(crate) changes: bool,
    /// Slots of tiles whose valid region or address is not known statically; the rules are checked for each of their states.
    pub(crate) watched: Vec<u32>,
    /// The index of the states for which they were checked last.
    pub(crate) seen: u32,
}

/// Number of kept tile states of an instruction for which its rules were checked: a loop that alternates between two
/// or four buffers returns to each.
pub(crate) const CHECKED_STATES: usize = 4;

/// An access to an accumulator, by slots.
#[derive(Clone, Debug)]
pub(crate) struct AccumulatorUse {
    pub(crate) tile: Tile,
    /// The tile whose valid rows may be the pitch.
    pub(crate) rows_of: u32,
    pub(crate) of: PitchUse,
}

/// A function of a flat program.
#[derive(Default)]
pub(crate) struct FunctionCode {
    /// Static facts about the function's values.
    pub(crate) facts: Facts,
    pub(crate) id: Option<FunctionId>,
    pub(crate) steps: Vec<Step>,
    /// The operation of each step.
    pub(crate) origins: Vec<OperationId>,
    pub(crate) tiles: Vec<TileStep>,
    pub(crate) exchanges: Vec<ExchangeStep>,
    pub(crate) syncs: Vec<SyncStep>,
    /// The kind of core that it declares.
    pub(crate) core: Option<Core>,
    /// Lists of slots, to which steps refer.
    pub(crate) lists: Vec<Slot>,
    /// Shapes of local arrays.
    pub(crate) shapes: Vec<u64>,
    pub(crate) scalar_slots: u32,
    pub(crate) tile_slots: u32,
    pub(crate) view_slots: u32,
    pub(crate) array_slots: u32,
    pub(crate) arguments: Vec<Slot>,
    /// Number of checked states of single tiles that its instructions need.
    pub(crate) seen: u32,
}

/// The memory map of a block: addresses of buffers and the total size.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryMap {
    /// Address of each buffer, in the order of [`pto_isa::Buffer::ALL`].
    pub(crate) base: [usize; 9],
    /// Addresses of the first automatically placed tiles: outside UB, and in UB.
    pub(crate) automatic: usize,
    pub(crate) automatic_vector: usize,
    /// Offset in bytes between the UBs of the two vector cores.
    pub(crate) vector_stride: usize,
    /// Start and end of the spare memory, which holds no tile.
    pub(crate) spare: (usize, usize),
    /// Total size in bytes.
    pub(crate) bytes: usize,
}

impl MemoryMap {
    /// Bytes for automatically placed tiles: in the memory of each vector core, and elsewhere.
    pub(crate) fn automatic_room(&self) -> [usize; 2] {
        [self.vector_stride - self.automatic_vector, self.spare.0 - self.automatic]
    }

    /// The first byte for automatically placed tiles of a buffer, and their number of bytes.
    pub(crate) fn automatic_of(&self, buffer: Buffer) -> (usize, usize) {
        let [vector, others] = self.automatic_room();
        match buffer {
            Buffer::Ub => (self.automatic_vector, vector),
            _ => (self.automatic, others),
        }
    }
}

/// A decoded program.
pub struct Program {
    pub(crate) module: pto_lang::ir::Module,
    pub(crate) profile: Profile,
    pub(crate) functions: Vec<FunctionCode>,
    pub(crate) map: MemoryMap,
    /// The byte ranges of a block's memory that the program may write, except the spare memory.
    pub(crate) written: Vec<Range<usize>>,
    /// The cores of a block. They run concurrently if they exchange data or flags, else one after the other.
    pub strands: Vec<Strand>,
    /// Whether a core may wait for another core.
    pub(crate) waits: bool,
    /// Whether a block may wait for another block.
    pub(crate) blocks_wait: bool,
    /// Whether the program grows by the parts of a live launch.
    pub(crate) grows: bool,
    /// Memories of blocks, kept from earlier launches for reuse.
    pub(in crate::sim) spares: super::machine::Spares,
}

impl Program {
    /// The function with an index: its code, and the function from which it was decoded.
    pub(crate) fn function_at(&self, number: u32) -> Option<(&FunctionCode, &pto_lang::ir::Function)> {
        let code = self.functions.get(number as usize)?;
        Some((code, &self.module.functions[code.id.unwrap_or(self.entry())]))
    }

    /// The memory map of a block.
    pub fn map(&self) -> &MemoryMap {
        &self.map
    }

    /// The number of vector cores that run concurrently.
    pub(crate) fn vector_strands(&self) -> usize {
        self.strands.iter().filter(|strand| strand.kind != CoreKind::Cube).count()
    }
}
