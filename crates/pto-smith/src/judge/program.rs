//! Programs with known facts: each statement has the text that the toolchain parses, and the facts that the model
//! reads (`written.rs`). Neither is derived from the other.

use super::facts::{Access, Change, Flag, Pipe, Wanted};
use super::queues::Slots;
use pto::Profile;

/// A memory in a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// A buffer of the core that runs the statement: UB, L1 and so on, by a number.
    Chip(u64),
    /// A buffer argument of the rank that runs it.
    Global(u64),
    /// A buffer argument of the next rank.
    Next(u64),
}

/// Bytes of an access: rows of equal length, at an offset that depends on block and core.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// The memory.
    pub space: Space,
    /// First byte.
    pub start: u64,
    /// Bytes of a row.
    pub row: u64,
    /// Rows.
    pub rows: u64,
    /// Bytes from one row to the next.
    pub pitch: u64,
    /// Additional offset in bytes per block, and per core.
    pub shift: (u64, u64),
}

/// The cores that a flag connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// From a core to all cores of the other kind in its block.
    Block,
    /// Between the cube core and one vector core. On the cube core, the index of that vector core; on a vector core, its
    /// own index.
    One(usize),
    /// Between the cores of a kind in all blocks.
    Blocks,
}

/// The operation of a statement, independent of the strand that runs it.
#[derive(Clone, Debug)]
pub enum Act {
    /// An instruction that accesses memory.
    Work(Pipe, Vec<(Access, Area)>),
    /// A flag is set.
    Set(Flag),
    /// A flag is waited for.
    Wait(Flag),
    /// A barrier of a pipe.
    Barrier(Pipe),
    /// A barrier of all pipes.
    BarrierAll,
    /// A token is acquired.
    Take(Pipe, u32),
    /// A token is released.
    Give(Pipe, u32),
    /// A flag of other cores is set.
    Raise(Reach, Pipe, u32),
    /// A flag of other cores is waited for.
    Await(Reach, Pipe, u32),
    /// A barrier of all cores of this kind.
    CoreBarrier,
    /// A tile is pushed into the queue.
    Push(Vec<(Access, Area)>),
    /// A tile is popped from the queue, and gets this number.
    Pop(usize),
    /// An instruction reads the tile of this number, and accesses other memory.
    Use(usize, Pipe, Vec<(Access, Area)>),
    /// The oldest popped tile is freed.
    Free,
    /// A signal of the next rank is changed.
    Notify(u64, Change),
    /// The rank waits for a signal of its own.
    See(u64, Wanted),
    /// Start of a loop with this number of iterations.
    Repeat(usize),
    /// End of a loop.
    End,
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Text of the statement, if the operation does not determine it.
    pub text: String,
    /// Operation of the statement.
    pub act: Act,
}

impl Statement {
    /// Whether it orders other statements.
    pub fn orders(&self) -> bool {
        !matches!(self.act, Act::Work(..) | Act::Use(..) | Act::Repeat(_) | Act::End)
    }
}

/// The kind of core that runs a part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// The cube core.
    Cube,
    /// Each vector core.
    Vector,
}

/// The part of a program for one kind of core.
#[derive(Clone, Debug)]
pub struct CoreProgram {
    /// The kind.
    pub core: Core,
    /// Cores of that kind in a block that run the part.
    pub cores: usize,
    /// Text before the statements: tiles and views.
    pub head: String,
    /// The statements.
    pub body: Vec<Statement>,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Source {
    /// Profile of the program.
    pub profile: Profile,
    /// Number of blocks of each rank.
    pub blocks: usize,
    /// Number of ranks.
    pub ranks: usize,
    /// Text before the parts.
    pub head: String,
    /// The parts: a single one is a function, several are sections.
    pub parts: Vec<CoreProgram>,
    /// Slots of the queue from the cube core to the vector cores.
    pub slots: usize,
    /// Memory of these slots.
    pub storage: Slots,
}

/// Bytes of a slot at each consumer. An entry before it is split has as many: each consumer's half is in the first part of
/// its slot.
pub(super) const ENTRY: u64 = 1024;
/// Address of the queue's slots in a consumer's memory: after all tiles with an address.
pub(super) const SLOTS: u64 = 65536;
