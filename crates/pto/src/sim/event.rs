//! What a run tells its observers.
//!
//! The machine reports one stream of events: instructions with what they touch, flags, barriers, tokens, entries of queues,
//! blocks and cores. Observers ([`crate::observe`]) see nothing else of the machine.

use super::code::{CoreKind, FlagReach};
use super::footprint::{Kind, Touch};
use super::operands::{Operands, Space};
use super::strided_range::StridedRange;
use crate::exec::global::Global;
use crate::ir::OperationId;
use crate::isa::op::effect::Handshakes;
use crate::isa::pipe::Pipe;
use std::collections::{BTreeMap, VecDeque};

/// A core of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CoreId {
    pub(crate) rank: u32,
    pub(crate) block: u32,
    pub(crate) kind: CoreKind,
    /// Index of the vector core; 0 for the cube core.
    pub(crate) vector_core: u32,
}

/// An operation of the program: the function's number in the program, and the operation's index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub(crate) function: u32,
    pub(crate) operation: u32,
}

impl Place {
    /// The place of an operation of a function.
    #[inline(always)]
    pub(crate) fn of(function: usize, operation: OperationId) -> Place {
        Place { function: function as u32, operation: operation.index() as u32 }
    }
}

/// A flag within a core: from one pipe to another, with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FlagKey {
    pub(crate) from: Pipe,
    pub(crate) to: Pipe,
    pub(crate) id: u64,
}

/// The flags of a core that are set, each with what its setters left, the oldest first.
///
/// A device's flag holds one: a set while it is set is lost. Watchers of program order take it so ([`FlagFile::replace`]).
/// Under a schedule a pipe may run ahead of the wait between two sets, and each set is kept ([`FlagFile::set`]).
#[derive(Clone, Debug)]
pub(crate) struct FlagFile<T> {
    set: BTreeMap<FlagKey, VecDeque<T>>,
}

impl<T> Default for FlagFile<T> {
    fn default() -> Self {
        FlagFile { set: BTreeMap::new() }
    }
}

impl<T> FlagFile<T> {
    /// Sets a flag once more.
    pub(crate) fn set(&mut self, key: FlagKey, left: T) {
        self.set.entry(key).or_default().push_back(left);
    }

    /// Sets a flag that holds one. Gives what the setter before left, if nobody has taken it since.
    pub(crate) fn replace(&mut self, key: FlagKey, left: T) -> Option<T> {
        let before = self.take(key);
        self.set(key, left);
        before
    }

    /// What the oldest set of a flag left.
    pub(crate) fn oldest(&self, key: FlagKey) -> Option<&T> {
        self.set.get(&key)?.front()
    }

    /// Whether a flag is set.
    pub(crate) fn is_set(&self, key: FlagKey) -> bool {
        self.set.get(&key).is_some_and(|sets| !sets.is_empty())
    }

    /// Takes the oldest set of a flag.
    pub(crate) fn take(&mut self, key: FlagKey) -> Option<T> {
        self.set.get_mut(&key)?.pop_front()
    }

    /// What all setters left whose flags are still set.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (FlagKey, &T)> {
        self.set.iter().flat_map(|(key, sets)| sets.iter().map(|left| (*key, left)))
    }

    /// What all setters left whose flags are still set.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.set.values_mut().flatten()
    }
}

/// One end of a queue between the cube core and the vector cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct QueueEnd {
    pub(crate) id: i128,
    pub(crate) to_vector: bool,
    /// Index of the core at this end among those of its kind.
    pub(crate) core: u32,
}

impl QueueEnd {
    /// The end of the queue at another core.
    pub(crate) fn at(self, core: u32) -> QueueEnd {
        QueueEnd { core, ..self }
    }
}

/// The memory of a run.
#[derive(Clone, Copy)]
pub(crate) struct Memory<'a> {
    pub(crate) chip: &'a [u8],
    pub(crate) global: &'a Global,
}

impl<'a> Memory<'a> {
    /// The bytes of a block's own memory, or of a buffer.
    pub(crate) fn bytes(&self, space: Space) -> &'a [u8] {
        match space {
            Space::Chip(..) => self.chip,
            Space::Global(buffer) => self.global.buffer(buffer as usize).watched(),
        }
    }
}

/// Bytes that an instruction touches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touched {
    pub(crate) touch: Kind,
    /// Index of the touch among those of the instruction.
    pub(crate) index: u16,
    pub(crate) space: Space,
    pub(crate) range: StridedRange,
    /// The first byte of the tile that the bytes belong to; of anything else that of the range.
    pub(crate) start: u64,
    /// The rows of the buffer that the bytes belong to, as the view divides it that names them.
    pub(crate) grid: Option<Grid>,
}

/// Rows and elements of a buffer, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) row: u64,
    pub(crate) element: u64,
}

/// An instruction that runs.
#[derive(Clone, Copy)]
pub(crate) struct Work<'a> {
    /// The pipes that take part, in their order; it ends on the last.
    pub(crate) phases: &'a [Pipe],
    /// The flags that it sets and awaits within itself.
    pub(crate) handshakes: Handshakes,
    /// What it touches, reads first; empty if no observer asked for it.
    pub(crate) touched: &'a [Touched],
    /// The touches that these bytes were found from.
    pub(crate) touches: &'a [Touch],
    /// Whether it uses the window of UB that instructions of A2/A3 have for themselves.
    pub(crate) uses_window: bool,
    /// Whether it changes signals in global memory or looks at them: what it knows then, it knows when it has ended.
    pub(crate) signals: bool,
    /// Of a look at a signal that has ended, whether it was as wanted.
    pub(crate) looked: bool,
    pub(crate) operands: Operands<'a>,
    pub(crate) memory: Memory<'a>,
}

/// Something that happened in a run.
pub(crate) struct Event<'a> {
    pub(crate) core: CoreId,
    pub(crate) at: Place,
    pub(crate) what: What<'a>,
}

/// What happened.
pub(crate) enum What<'a> {
    /// A buffer of global memory starts without contents.
    Blank {
        buffer: u32,
    },
    /// A block begins on memory without contents.
    BlockBegins,
    BlockEnds,
    /// A part was cut out of a view that ends beyond it, in this dimension, at this index; the view has that extent.
    Beyond {
        dimension: usize,
        end: u64,
        extent: u64,
    },
    /// A core has come to the end of its program.
    CoreEnds,
    /// The scalar unit hands an instruction to its pipes, in the order of the program.
    Issue(Work<'a>),
    /// The first of its pipes takes the instruction up that was issued here; it may then wait for a signal.
    Begin,
    /// The instruction was done: its results are in memory.
    End(Work<'a>),
    Set(FlagKey),
    Wait(FlagKey),
    Barrier(Pipe),
    /// All pipes go on after what one of them has done.
    Behind(Pipe),
    /// A buffer token is taken: a pipe goes on after every release of it that was issued before.
    Acquire {
        pipe: Pipe,
        token: u32,
    },
    /// A buffer token is given back.
    Release {
        pipe: Pipe,
        token: u32,
    },
    /// A producer has waited for the slot of an entry: for this many returns of slots by each of its consumers.
    Allocate {
        queue: QueueEnd,
        returns: u64,
        consumers: u32,
    },
    /// An entry was put in, with its number from 0 on, into a queue of so many slots.
    Push {
        queue: QueueEnd,
        entry: u64,
        slots: u64,
    },
    /// The entry of this number was taken out of what each producer put in.
    Pop {
        queue: QueueEnd,
        entry: u64,
        producers: u32,
    },
    /// A slot was given back, with its number from 0 on.
    Free {
        queue: QueueEnd,
        number: u64,
        slots: u64,
    },
    /// The tile of an entry is read to be pushed, or written where it was popped.
    Entry {
        pipe: Pipe,
        touched: &'a [Touched],
    },
    /// A flag of other cores is set, by way of a pipe.
    Signal {
        flag: (FlagReach, u64),
        pipe: Pipe,
    },
    /// A pipe goes on after each of these cores has set a flag, counted from 0 on.
    Hear {
        flag: (FlagReach, u64),
        pipe: Pipe,
        setters: &'a [CoreId],
        count: u64,
    },
    /// The scalar unit has changed a counter in global memory that cores meet by: buffer and byte.
    Notify {
        signal: (u32, u64),
    },
    /// The scalar unit has seen that counter as it must be.
    See {
        signal: (u32, u64),
    },
}
