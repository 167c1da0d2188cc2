//! Entries of a log: an instruction with its operands, or an operation of synchronization.

use pto_isa::diag::Span;
use pto_isa::pipe::Pipe;
use std::fmt;

/// The kind of core that ran an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CoreKind {
    /// One core that runs code of all kinds.
    Core,
    /// The cube core.
    Cube,
    /// A vector core.
    Vector,
}

impl CoreKind {
    /// Word for the kind in a log.
    pub fn word(self) -> &'static str {
        match self {
            CoreKind::Core => "core",
            CoreKind::Cube => "cube",
            CoreKind::Vector => "vector",
        }
    }
}

/// The core that ran an entry. Entries of one core are a stream: a log has them in the order in which they ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Core {
    /// The rank.
    pub rank: u32,
    /// The block.
    pub block: u32,
    /// The kind of core.
    pub kind: CoreKind,
    /// Index of the vector core; 0 for the cube core.
    pub vector_core: u32,
}

impl fmt::Display for Core {
    /// `rank 0 block 3 vector 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} block {} {} {}", self.rank, self.block, self.kind.word(), self.vector_core)
    }
}

/// A position in the source: line and column, both from 1; 0 if it is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

/// A byte range of a memory, as precise as one range of runs can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Area<'a> {
    /// The memory: a buffer of the core (`ub`, `l1`; `ub@1` for that of another vector core), `auto` or `auto-ub` for
    /// tiles that the machine placed, or an argument (`gm:x`; with several ranks `gm:x@1`).
    pub space: &'a str,
    /// First byte.
    pub start: u64,
    /// End, exclusive.
    pub end: u64,
    /// The bytes within `start..end`.
    pub shape: Shape,
}

/// The bytes of an area between its first and its last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// All bytes of the range.
    Whole,
    /// Runs of `run` bytes, `stride` bytes apart.
    Runs {
        /// Bytes of each run.
        run: u64,
        /// Bytes from the start of a run to the start of the next one.
        stride: u64,
    },
    /// Some bytes, in several ranges.
    Parts,
}

impl fmt::Display for Area<'_> {
    /// `ub[0x400..0x800]`, or `gm:x[0x0..0x1c40, 0x40 every 0x100]`, or `gm:x[0x0..0x1c40, parts]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{:#x}..{:#x}", self.space, self.start, self.end)?;
        match self.shape {
            Shape::Whole => f.write_str("]"),
            Shape::Runs { run, stride } => write!(f, ", {run:#x} every {stride:#x}]"),
            Shape::Parts => f.write_str(", parts]"),
        }
    }
}

/// The use that an instruction makes of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Use {
    /// The instruction reads the bytes.
    Reads,
    /// The instruction writes the bytes, or some of them.
    Writes {
        /// Number of bytes.
        bytes: u64,
        /// Hash of the contents after the instruction, in the order of addresses.
        hash: u64,
    },
    /// The instruction leaves the bytes undefined.
    Destroys,
    /// The instruction changes a signal in global memory, after all earlier instructions.
    Notifies,
    /// The instruction waits for a signal in global memory, or tests it.
    Awaits,
}

impl Use {
    /// Whether bytes may change.
    pub fn changes(self) -> bool {
        !matches!(self, Use::Reads | Use::Awaits)
    }
}

/// An operand of an instruction that accesses memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand<'a> {
    /// The value's name, without `%`.
    pub name: &'a str,
    /// Bytes of the operand.
    pub area: Area<'a>,
    /// The use of the bytes.
    pub usage: Use,
}

/// The cores that a flag between cores connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The cube core and one vector core of its block.
    Core,
    /// All cores of a block.
    Block,
    /// The vector cores of a block.
    VectorCores,
    /// All cores of one kind, in all blocks.
    Blocks,
    /// All cores of a barrier.
    Meeting,
}

impl Reach {
    /// Every reach.
    pub const ALL: [Reach; 5] =
        [Reach::Core, Reach::Block, Reach::VectorCores, Reach::Blocks, Reach::Meeting];

    /// Word for the reach in a log.
    pub fn word(self) -> &'static str {
        match self {
            Reach::Core => "core",
            Reach::Block => "block",
            Reach::VectorCores => "vector-cores",
            Reach::Blocks => "blocks",
            Reach::Meeting => "barrier",
        }
    }
}

/// One end of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct QueueEnd {
    /// Number of the queue.
    pub id: i64,
    /// Whether the consumers of the queue are vector cores.
    pub to_vector: bool,
    /// Index of the core among those of its kind.
    pub core: u32,
}

impl fmt::Display for QueueEnd {
    /// `queue 4 to vector core 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let consumer = if self.to_vector { "vector" } else { "cube" };
        write!(f, "queue {} to {consumer} core {}", self.id, self.core)
    }
}

/// Actions of an entry in addition to its accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// An instruction runs.
    Run,
    /// `from` sets a flag for `to`.
    Set {
        /// The pipe that sets the flag.
        from: Pipe,
        /// The pipe that waits for the flag.
        to: Pipe,
        /// The event id.
        event: u64,
    },
    /// `to` waits for a flag of `from`.
    Wait {
        /// The pipe that sets the flag.
        from: Pipe,
        /// The pipe that waits for the flag.
        to: Pipe,
        /// The event id.
        event: u64,
    },
    /// A pipe, or all of them, waits for its own instructions.
    Barrier(Pipe),
    /// All pipes wait for one of them.
    AllWait(Pipe),
    /// A pipe acquires a buffer token.
    Acquire {
        /// The pipe.
        pipe: Pipe,
        /// The token.
        token: u32,
    },
    /// A pipe releases a buffer token.
    Release {
        /// The pipe.
        pipe: Pipe,
        /// The token.
        token: u32,
    },
    /// A producer has a free slot of a queue, after the consumers have freed `returns` slots.
    Allocate {
        /// The queue.
        queue: QueueEnd,
        /// Number of slots freed before.
        returns: u64,
    },
    /// An entry was pushed.
    Push {
        /// The queue.
        queue: QueueEnd,
        /// Number of the entry, from 0.
        entry: u64,
    },
    /// An entry was popped.
    Pop {
        /// The queue.
        queue: QueueEnd,
        /// Number of the entry, from 0.
        entry: u64,
    },
    /// A slot was freed.
    Free {
        /// The queue.
        queue: QueueEnd,
        /// Number of the slot's entry, from 0.
        number: u64,
    },
    /// A pipe sets a flag for other cores.
    Signal {
        /// The pipe.
        pipe: Pipe,
        /// The cores.
        reach: Reach,
        /// The flag.
        flag: u64,
    },
    /// A pipe has waited for a flag of other cores.
    Await {
        /// The pipe.
        pipe: Pipe,
        /// The cores.
        reach: Reach,
        /// The flag.
        flag: u64,
        /// Number of sets of each of these cores that were used before.
        count: u64,
    },
    /// The scalar unit has incremented the counter of a barrier in global memory.
    Notify,
    /// The scalar unit has read the expected value of that counter.
    See,
}

/// An entry of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Number of the entry in the log, from 0.
    pub sequence: u64,
    /// The core.
    pub core: Core,
    /// The pipe that runs the operation; for synchronization the pipe that sets or waits.
    pub pipe: Pipe,
    /// The operation's name without the dialect's prefix, such as `tadd`.
    pub name: &'a str,
    /// Span of the operation in the source; empty if the entry was read from text.
    pub span: Span,
    /// Position of the operation in the source.
    pub position: Position,
    /// Synchronization of the entry, if any.
    pub action: Action,
    /// Accesses of the entry, reads first.
    pub operands: Vec<Operand<'a>>,
}

impl Entry<'_> {
    /// Number of bytes that the entry wrote.
    pub fn bytes(&self) -> u64 {
        let written = self.operands.iter().map(|operand| match operand.usage {
            Use::Writes { bytes, .. } => bytes,
            _ => 0,
        });
        written.sum()
    }

    /// Whether the entry is an instruction, not synchronization.
    pub fn is_instruction(&self) -> bool {
        self.action == Action::Run
    }
}
