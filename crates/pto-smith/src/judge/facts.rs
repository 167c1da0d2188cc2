//! Facts of a run: for each strand, the operations that it issued, in order. Nothing here is derived.

use std::ops::Range;

/// A hardware pipe of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pipe {
    /// Scalar unit.
    S,
    /// Global memory to UB and L1.
    Mte2,
    /// UB to global memory.
    Mte3,
    /// L1 to the buffers of the matrix unit.
    Mte1,
    /// Matrix products.
    M,
    /// Vector operations.
    V,
    /// Accumulator to anywhere.
    Fix,
}

impl Pipe {
    /// The word of the pipe in programs, without `PIPE_`.
    pub fn word(self) -> &'static str {
        match self {
            Pipe::S => "S",
            Pipe::Mte2 => "MTE2",
            Pipe::Mte3 => "MTE3",
            Pipe::Mte1 => "MTE1",
            Pipe::M => "M",
            Pipe::V => "V",
            Pipe::Fix => "FIX",
        }
    }
}

/// Kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A read.
    Read,
    /// A write.
    Write,
    /// An atomic addition.
    Add,
}

/// The number of the first memory that is global; those before are buffers of cores.
pub(super) const GLOBAL: u64 = 1 << 32;

/// An access to bytes of one memory.
#[derive(Clone, Debug)]
pub struct Touch {
    /// Kind of the access.
    pub access: Access,
    /// The memory: equal numbers are the same memory.
    pub space: u64,
    /// The bytes, in ranges that do not overlap.
    pub bytes: Vec<Range<u64>>,
}

/// A flag within a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flag {
    /// The pipe that sets it.
    pub from: Pipe,
    /// The pipe that waits for it.
    pub to: Pipe,
    /// Event id.
    pub id: u32,
}

/// How a notification changes a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The value is added.
    Add(i64),
    /// The value replaces the signal.
    Set(i64),
}

/// The condition of a wait for a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The signal is at least this value.
    AtLeast(i64),
    /// The signal equals this value.
    Exactly(i64),
}

/// An operation of a strand.
#[derive(Clone, Debug)]
pub enum What {
    /// An instruction that accesses memory.
    Work {
        /// Pipe of the instruction.
        pipe: Pipe,
        /// Accesses of the instruction.
        touches: Vec<Touch>,
    },
    /// `set_flag`.
    Set(Flag),
    /// `wait_flag`.
    Wait(Flag),
    /// A barrier of one pipe.
    Barrier(Pipe),
    /// A barrier of all pipes.
    BarrierAll,
    /// A pipe acquires a buffer token.
    Take(Pipe, u32),
    /// A pipe releases a buffer token.
    Give(Pipe, u32),
    /// A pipe sets a flag of other strands.
    Raise {
        /// The pipe.
        pipe: Pipe,
        /// The flag: equal numbers are the same flag.
        channel: u64,
        /// The strands that wait for it.
        receivers: Vec<usize>,
    },
    /// A pipe waits until each of these strands has set a flag once more.
    Await {
        /// The pipe.
        pipe: Pipe,
        /// The flag.
        channel: u64,
        /// The strands that set it.
        setters: Vec<usize>,
    },
    /// A pipe of a producer waits for a slot of a queue.
    Allocate(Pipe, usize),
    /// A pipe of a producer signals an entry.
    Push(Pipe, usize),
    /// A pipe of a consumer waits for an entry.
    Pop(Pipe, usize),
    /// A pipe of a consumer signals a free slot.
    Free(Pipe, usize),
    /// A consumer ends the use of its oldest popped tile.
    Discard(usize),
    /// The scalar unit changes a signal.
    Notify(u64, Change),
    /// The scalar unit waits until a signal fulfils a condition.
    See(u64, Wanted),
    /// An operation that no machine executes: an instruction on a tile that no queue has filled.
    Stop,
}

/// One fact: an operation and its line.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Line of the program, from 0.
    pub line: usize,
    /// The operation.
    pub what: What,
}

/// A queue between strands.
#[derive(Clone, Debug)]
pub struct Queue {
    /// Number of slots.
    pub slots: usize,
    /// The strands that push: each pushes its part of every entry.
    pub producers: Vec<usize>,
    /// The strands that pop: each pops its part of every entry.
    pub consumers: Vec<usize>,
}

/// A run as facts.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Whether an instruction of any pipe may overlap the next one on that pipe (A2/A3), or only instructions of MTE2 and
    /// MTE3 (A5 and CPU).
    pub overlaps: bool,
    /// The operations of each strand.
    pub strands: Vec<Vec<Fact>>,
    /// The strands of each block, in the order in which blocks and their cores are run.
    pub blocks: Vec<Vec<usize>>,
    /// The queues.
    pub queues: Vec<Queue>,
    /// Whether an instruction uses a slot on chip that its strand has freed: no matter of order.
    pub uses_freed: bool,
}
