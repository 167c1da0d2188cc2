//! The steps in which cores exchange data or wait for each other: queues, flags and barriers of cores.

use super::{AccumulatorUse, Extent};
use pto_isa::exec::state::Slot;
use pto_isa::op::epilogue::Epilogue;
use pto_isa::op::{EntryPipes, Slots};
use pto_isa::pipe::Pipe;
use pto_isa::tile::TileType;
use pto_kernels::Element;
use pto_lang::ir::OperationId;

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
