//! What is known of a run: for each strand, what it issued, in that order. Nothing here says what follows from it.

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

/// How bytes are accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// They are read.
    Read,
    /// They are overwritten.
    Write,
    /// Something is added to them atomically.
    Add,
}

/// Bytes of one memory, and how they are accessed.
#[derive(Clone, Debug)]
pub struct Touch {
    /// How.
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

/// How a wait compares a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The signal is this or more.
    AtLeast(i64),
    /// The signal is this.
    Exactly(i64),
}

/// What a strand issued.
#[derive(Clone, Debug)]
pub enum What {
    /// An instruction that accesses memory.
    Work {
        /// Its pipe.
        pipe: Pipe,
        /// What it accesses.
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
    /// A pipe takes a buffer token.
    Take(Pipe, u32),
    /// A pipe gives a buffer token back.
    Give(Pipe, u32),
    /// A pipe sets a flag of other strands.
    Raise {
        /// The pipe.
        pipe: Pipe,
        /// The flag: equal numbers are the same flag.
        channel: u64,
        /// The strands that should wait for it.
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
    /// A producer waits for a slot of a queue. That alone orders nothing: what orders is the slot that it then has.
    Room(usize),
    /// A producer has a slot of a queue.
    Allocate(usize),
    /// A producer puts an entry into a queue.
    Push(usize),
    /// A consumer takes an entry out of a queue.
    Pop(usize),
    /// A consumer gives a slot of a queue back.
    Free(usize),
    /// The scalar unit changes a signal.
    Notify(u64, Change),
    /// The scalar unit waits until a signal compares.
    See(u64, Wanted),
    /// What no machine runs: an instruction on a tile that no queue has filled.
    Stop,
}

/// One fact: where it stands in the program, and what it is.
#[derive(Clone, Debug)]
pub struct Fact {
    /// Line of the program, from 0 on.
    pub line: usize,
    /// What was issued there.
    pub what: What,
}

/// A queue between strands.
#[derive(Clone, Debug)]
pub struct Queue {
    /// Its slots.
    pub slots: usize,
    /// The strands that push: each pushes its part of every entry.
    pub producers: Vec<usize>,
    /// The strands that pop: each pops its part of every entry.
    pub consumers: Vec<usize>,
}

/// A run as facts.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Whether an instruction of any pipe may begin before the one before it on that pipe has ended (A2/A3), or
    /// only one of MTE2 and MTE3 (A5 and CPU).
    pub overlaps: bool,
    /// What each strand issued.
    pub strands: Vec<Vec<Fact>>,
    /// The strands of each block, in the order in which blocks and their cores are run.
    pub blocks: Vec<Vec<usize>>,
    /// The queues.
    pub queues: Vec<Queue>,
}
