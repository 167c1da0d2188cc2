//! The events of a run.
//!
//! The machine reports one stream of events: instructions with their accesses, flags, barriers, tokens, entries of queues,
//! blocks and cores. Observers ([`crate::observe`]) use nothing but this stream.

use super::code::{CoreKind, FlagReach};
use super::footprint::{Kind, Touch};
use super::operands::{Operands, Space};
use pto_isa::diag::dimension::Excess;
use pto_isa::exec::global::Global;
use pto_isa::op::Slots;
use pto_isa::op::effect::{Access, Handshakes};
use pto_isa::pipe::Pipe;
use pto_isa::strided_range::StridedRange;
use pto_lang::ir::OperationId;
use std::borrow::Cow;

/// A core of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CoreId {
    /// The rank.
    pub rank: u32,
    /// The block.
    pub block: u32,
    /// The kind of core.
    pub kind: CoreKind,
    /// Index of the vector core; 0 for the cube core.
    pub vector_core: u32,
}

/// An operation of the program: the function's number in the program, and the operation's index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlagKey {
    /// The pipe that sets the flag.
    pub from: Pipe,
    /// The pipe that waits for the flag.
    pub to: Pipe,
    /// Number of the event.
    pub id: u64,
}

/// One end of a queue between the cube core and the vector cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueEnd {
    /// The number of the queue, or that of its value.
    pub id: i128,
    /// Whether the vector cores consume.
    pub to_vector: bool,
    /// Index of the core at this end among those of its kind.
    pub(crate) core: u32,
}

impl QueueEnd {
    /// The end of the queue at another core.
    pub fn at(self, core: u32) -> QueueEnd {
        QueueEnd { core, ..self }
    }
}

/// The memory of a run.
#[derive(Clone, Copy)]
pub struct Memory<'a> {
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

/// Bytes that an instruction accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// The operand and the kind of access.
    pub touch: Kind,
    /// Index of the access among those of the instruction.
    pub(crate) index: u16,
    /// The memory that has the bytes.
    pub space: Space,
    /// The bytes.
    pub range: StridedRange,
    /// First byte of the tile that contains the bytes; for other operands the first byte of the range.
    pub start: u64,
    /// Rows of the buffer, as divided by the view through which the bytes are accessed.
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
pub struct Work<'a> {
    /// The pipes that run the instruction, in order; it ends on the last.
    pub phases: &'a [Pipe],
    /// The flags that the instruction itself sets and waits for.
    pub(crate) handshakes: Handshakes,
    /// Accesses of the instruction, reads first; empty if no observer needs them.
    pub touched: &'a [Touched],
    /// The effects from which the accesses were computed.
    pub touches: &'a [Touch],
    /// Number of the operands: executions of an operation with equal numbers have the same tiles with the same valid
    /// regions and views of the same extents and strides in the same buffers. Only the first bytes of the views may
    /// differ.
    pub signature: u64,
    /// Whether the instruction uses the window of UB that A2/A3 reserves for instructions.
    pub(crate) uses_window: bool,
    /// Whether the instruction changes or tests signals in global memory; their order takes effect at its end.
    pub signals: bool,
    /// Result of a test of a signal that has ended.
    pub looked: bool,
    /// State of the instruction's operands.
    pub operands: Operands<'a>,
    /// In a live launch, the serial numbers of tiles by slot, 0 for none; else empty.
    pub(crate) serials: &'a [u32],
    pub(crate) memory: Memory<'a>,
}

impl Work<'_> {
    /// The identity that the driver of a live launch gave the tile of an access; `None` in other launches.
    pub fn serial(&self, touched: &Touched) -> Option<u32> {
        let slot = self.touches[usize::from(touched.index)].tile()?;
        self.serials.get(slot as usize).copied()
    }

    /// The accesses to values. A read that moves more bytes than hold values counts with the bytes of values only:
    /// the padding of a tile has arbitrary contents.
    pub fn values(&self) -> Cow<'_, [Touched]> {
        let touch = |touched: &Touched| &self.touches[usize::from(touched.index)];
        let moves_more = |touched: &Touched| touched.touch.access == Access::Read && touch(touched).carries();
        if !self.touched.iter().any(moves_more) {
            return Cow::Borrowed(self.touched);
        }
        let (mut accesses, mut last) = (Vec::new(), None);
        for touched in self.touched {
            if !moves_more(touched) {
                accesses.push(*touched);
            } else if last.replace(touched.touch.effect) != Some(touched.touch.effect) {
                self.operands.values(touch(touched), &mut |space, range| {
                    accesses.push(Touched { space, range, ..*touched });
                });
            }
        }
        Cow::Owned(accesses)
    }
}

/// Extents that both ends of a queue count differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unlike {
    /// The counted extent, such as `valid columns`.
    pub what: &'static str,
    /// The extent of the pushed entry, or of this consumer's part of it.
    pub pushed: u64,
    /// The extent of the tile into which the entry is popped.
    pub popped: u64,
}

/// An event of a run.
pub struct Event<'a> {
    /// The core of the event.
    pub core: CoreId,
    /// The operation.
    pub at: Place,
    /// The kind of event.
    pub what: What<'a>,
}

/// Tokens from here on are unit flags, which instructions hold themselves: one for each accumulator, by its address.
pub const UNIT_FLAGS: u32 = 1 << 16;

/// Kinds of events.
pub enum What<'a> {
    /// A buffer of global memory starts unwritten.
    Blank {
        /// The buffer.
        buffer: u32,
    },
    /// The host writes bytes of a buffer, between launches or while one is driven.
    HostWrites {
        /// The buffer.
        buffer: u32,
        /// The bytes.
        range: StridedRange,
    },
    /// All blocks of the core's rank have ended, and another launch in the same memory may follow.
    LaunchEnds {
        /// Whether no other rank has a launch: a later launch of any rank begins after this one.
        of_all: bool,
    },
    /// A finding has stopped the launch, and its blocks do not continue: another launch in the same memory may
    /// follow.
    LaunchStops,
    /// A block begins on unwritten memory.
    BlockBegins,
    /// A block has ended.
    BlockEnds,
    /// A partition ends beyond its view.
    Beyond(Excess),
    /// A tile without an address begins: these bytes of its block are undefined.
    Fresh {
        /// The bytes.
        range: StridedRange,
    },
    /// An entry of the queue of this number was popped into a tile of other extents.
    Unlike {
        /// The number of the queue.
        queue: i128,
        /// The extents.
        unlike: Unlike,
    },
    /// A core has reached the end of its program.
    CoreEnds,
    /// The scalar unit hands an instruction to its pipes, in the order of the program.
    Issue(&'a Work<'a>),
    /// The first of its pipes begins the instruction; it may then wait for a signal.
    Begin,
    /// The instruction has ended: its results are in memory.
    End(&'a Work<'a>),
    /// A pipe sets a flag.
    Set(FlagKey),
    /// A pipe has waited for a flag.
    Wait(FlagKey),
    /// A pipe, or all pipes, have waited for the instructions issued to them.
    Barrier(Pipe),
    /// All pipes wait for one of them.
    Behind(Pipe),
    /// A pipe acquires a buffer token: it waits for all releases that were issued before.
    Acquire {
        /// The pipe.
        pipe: Pipe,
        /// The number of the token; from [`UNIT_FLAGS`] on it is a unit flag.
        token: u32,
    },
    /// A buffer token is released.
    Release {
        /// The pipe.
        pipe: Pipe,
        /// The number of the token.
        token: u32,
    },
    /// A pipe of a producer has waited for a free slot: until each consumer has freed `returns` slots.
    Allocate {
        /// The end of the queue.
        queue: QueueEnd,
        /// The pipe.
        pipe: Pipe,
        /// The number of slots that each consumer has freed.
        returns: u64,
        /// The number of consumers.
        consumers: u32,
    },
    /// An entry was pushed, after all earlier instructions of a pipe: its number, from 0, and the number of slots of the queue.
    Push {
        /// The end of the queue.
        queue: QueueEnd,
        /// The pipe.
        pipe: Pipe,
        /// The number of the entry, from 0.
        entry: u64,
        /// The slots of the queue.
        slots: u64,
    },
    /// A pipe has waited for the entry of this number, from 0, of each producer.
    Pop {
        /// The end of the queue.
        queue: QueueEnd,
        /// The pipe.
        pipe: Pipe,
        /// The number of the entry, from 0.
        entry: u64,
        /// The number of producers.
        producers: u32,
    },
    /// A slot was freed, after all earlier instructions of a pipe: its number, from 0.
    Return {
        /// The end of the queue.
        queue: QueueEnd,
        /// The pipe.
        pipe: Pipe,
        /// Number of the freed slot, from 0.
        number: u64,
        /// The slots of the queue.
        slots: u64,
        /// The bytes of the consumer's tile, if the slot contains it.
        tile: Option<Touched>,
    },
    /// A push reads the tile of an entry, or a pop writes it.
    Entry {
        /// The pipe.
        pipe: Pipe,
        /// Memory of the slots of the queue.
        slots: Slots,
        /// The bytes of the tile.
        touched: &'a [Touched],
        /// The memory before the access.
        memory: Memory<'a>,
    },
    /// An entry passes through its slot in global memory: a push writes it, a pop reads it.
    Slot {
        /// The pipe.
        pipe: Pipe,
        /// The bytes of the slot.
        touched: &'a [Touched],
    },
    /// A pipe sets a flag for other cores.
    Signal {
        /// The cores that the flag reaches, and its number.
        flag: (FlagReach, u64),
        /// The pipe.
        pipe: Pipe,
    },
    /// A pipe has waited until each of these cores has set a flag `count` + 1 times.
    Hear {
        /// The cores that the flag reaches, and its number.
        flag: (FlagReach, u64),
        /// The pipe.
        pipe: Pipe,
        /// The cores that set the flag.
        setters: &'a [CoreId],
        /// Number of earlier waits for the flag by this pipe.
        count: u64,
    },
    /// The scalar unit has incremented the counter of a barrier of cores in global memory: buffer and byte.
    Notify {
        /// Buffer and byte of the counter.
        signal: (u32, u64),
    },
    /// The scalar unit has read the expected value of that counter.
    See {
        /// Buffer and byte of the counter.
        signal: (u32, u64),
    },
}
