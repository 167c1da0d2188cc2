//! The flat program: instructions with resolved operands and jump targets.

mod exchange;
mod step;

use super::footprint::Footprint;
pub use exchange::FlagReach;
pub(crate) use exchange::{ExchangeStep, GlobalEntry, Meeting, Route};
use pto_isa::exec::state::{Execute, Slot, Tile};
use pto_isa::meaning::Core;
pub(crate) use pto_isa::meaning::LaunchFact;
use pto_isa::memory::Buffer;
use pto_isa::op::acc_pitch::PitchUse;
use pto_isa::profile::Profile;
use pto_lang::analysis::Facts;
use pto_lang::ir::{FunctionId, OperationId};
use std::ops::Range;
pub(crate) use step::{Extent, Step, SyncStep, TilePlace, Token};

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
