//! Semantics of operations as a closed list; checker, decoder and printer match on it instead of on names.

use pto_num::BinaryOp;

/// The semantics of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Meaning {
    /// An instruction defined by its page's formula.
    Compute,
    /// A scalar constant.
    Constant,
    /// An operation on two scalars of one type.
    Binary(Binary),
    /// A comparison of two scalars by the attribute `predicate`.
    Compare {
        /// Whether operands are floats; else integers.
        float: bool,
    },
    /// The negation of a float.
    Negate,
    /// A selection of one of two values by a condition.
    Select,
    /// A conversion of a scalar to another type.
    Convert(Conversion),
    /// A counted loop.
    For,
    /// A choice between two regions.
    If,
    /// A loop with a condition.
    While,
    /// A region that runs once.
    Region,
    /// A choice between regions by an integer.
    Switch,
    /// A region that only one kind of core runs.
    Section(Core),
    /// A jump to a block.
    Branch,
    /// A jump to one of two blocks.
    BranchIf,
    /// A call of a function.
    Call,
    /// The end of a function.
    Return,
    /// The end of a region.
    Yield,
    /// The end of the first region of a loop with a condition.
    Condition,
    /// An allocation of a tile, or of several tiles as one value.
    AllocTile,
    /// A tile whose address is assigned later.
    DeclareTile,
    /// One tile of several.
    MultiTileGet,
    /// The number of valid rows or columns of a tile.
    TileExtent {
        /// Whether columns are returned; else rows.
        cols: bool,
    },
    /// A view whose address is assigned later.
    DeclareView,
    /// A view of global memory.
    MakeView,
    /// A part of a view.
    Partition,
    /// An extent or a stride of a view.
    ViewExtent {
        /// Whether the stride is returned; else the extent.
        stride: bool,
    },
    /// A pointer plus an offset in elements.
    AddPointer,
    /// A conversion of a pointer to an integer.
    PointerToInteger,
    /// A conversion of an integer to a pointer.
    IntegerToPointer,
    /// A struct of zeros.
    DeclareStruct,
    /// A read of a struct field.
    StructGet,
    /// A write of a struct field.
    StructSet,
    /// An array of zeros: of scalars, or of events.
    DeclareArray,
    /// A read of an array element.
    ArrayGet,
    /// A write of an array element.
    ArraySet,
    /// A read of the control register.
    ReadControl,
    /// A write of the control register.
    WriteControl,
    /// A fact of the launch.
    Launch(LaunchFact),
    /// A flag between two pipes of a core.
    Flag {
        /// Whether the flag is set; else waited for.
        sets: bool,
        /// Whether the event id is an operand; else an attribute.
        computed: bool,
    },
    /// A barrier of the pipe that its attribute names.
    Barrier,
    /// A buffer token of the pipe that its attribute names.
    Token {
        /// Whether the token is acquired; else released.
        acquires: bool,
    },
    /// A fence that adds nothing to program order.
    Fence,
    /// A flag between cores.
    CoreFlag {
        /// Whether the flag is set; else waited for.
        sets: bool,
        /// The cores that the flag connects.
        between: Between,
    },
    /// A barrier of all cores.
    Meet,
    /// Memory for the slots of a queue.
    ReserveBuffer,
    /// The address of memory that another function reserves.
    ImportBuffer,
    /// One end of a numbered queue.
    QueueEnd(Core),
    /// A queue value.
    Queue {
        /// Whether its slots are in global memory; else on chip.
        through_global: bool,
    },
    /// An operation on a slot of a queue.
    Entry {
        /// The operation.
        action: EntryAction,
        /// The consumer cores; `None` for a queue value, which contains them.
        to: Option<Core>,
    },
    /// Parsed and printed, but not run.
    NotRun,
}

impl Meaning {
    /// Whether the machine runs it.
    pub fn runs(self) -> bool {
        self != Meaning::NotRun
    }

    /// Whether it creates tiles that need an address.
    pub fn makes_tile(self) -> bool {
        matches!(self, Meaning::AllocTile | Meaning::DeclareTile)
    }

    /// Whether it terminates its block.
    pub fn ends_block(self) -> bool {
        use Meaning::{Branch, BranchIf, Condition, Return, Yield};
        matches!(self, Return | Yield | Condition | Branch | BranchIf)
    }

    /// Whether it orders pipes of one core.
    pub fn orders_pipes(self) -> bool {
        matches!(self, Meaning::Flag { .. } | Meaning::Barrier | Meaning::Token { .. })
    }

    /// Whether it is arithmetic of the scalar unit.
    pub fn is_scalar(self) -> bool {
        use Meaning::{Binary, Compare, Constant, Convert, Negate, Select};
        matches!(self, Binary(_) | Compare { .. } | Constant | Convert(_) | Negate | Select)
    }

    /// Whether it is an operation of queues between cores.
    pub fn is_of_queues(self) -> bool {
        use Meaning::{Entry, ImportBuffer, Queue, QueueEnd, ReserveBuffer};
        matches!(self, Entry { .. } | ImportBuffer | Queue { .. } | QueueEnd(_) | ReserveBuffer)
    }
}

/// A kind of core of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Core {
    /// The cube core.
    Cube,
    /// A vector core.
    Vector,
}

impl Core {
    /// The word in `pto.kernel_kind` and in the names of sections.
    pub fn word(self) -> &'static str {
        match self {
            Core::Cube => "cube",
            Core::Vector => "vector",
        }
    }

    /// The phrase in messages.
    pub fn phrase(self) -> &'static str {
        match self {
            Core::Cube => "the cube core",
            Core::Vector => "a vector core",
        }
    }
}

/// An operation on a slot of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryAction {
    /// Allocates a free slot.
    Allocate,
    /// Fills a slot.
    Push,
    /// Reads the next filled slot.
    Pop,
    /// Frees a slot.
    Free,
}

impl EntryAction {
    /// Whether the producer performs it.
    pub fn produces(self) -> bool {
        matches!(self, EntryAction::Allocate | EntryAction::Push)
    }

    /// The core that performs it, on a queue whose consumer is `to`.
    pub fn core(self, to: Core) -> Core {
        if self.produces() == (to == Core::Vector) { Core::Cube } else { Core::Vector }
    }
}

/// The cores that a flag connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// Cores of one block.
    Cores,
    /// Blocks.
    Blocks,
    /// Selected by the attribute `ffts_mode`.
    Moded,
}

/// A fact about the launch that a program can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaunchFact {
    /// The index of the block.
    BlockIndex,
    /// The number of blocks.
    BlockCount,
    /// The index of the vector core in its block.
    SubBlockIndex,
    /// The number of vector cores per block.
    SubBlockCount,
}

/// An operation on two scalars of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Binary {
    /// The sum, wrapping.
    Add,
    /// The difference, wrapping.
    Sub,
    /// The product, wrapping.
    Mul,
    /// The quotient of signed integers, rounded towards zero.
    DivSigned,
    /// The quotient of unsigned integers.
    DivUnsigned,
    /// The quotient of signed integers, rounded up.
    CeilDivSigned,
    /// The quotient of signed integers, rounded down.
    FloorDivSigned,
    /// The remainder of [`Binary::DivSigned`].
    RemSigned,
    /// The remainder of [`Binary::DivUnsigned`].
    RemUnsigned,
    /// The larger signed integer.
    MaxSigned,
    /// The smaller signed integer.
    MinSigned,
    /// The larger unsigned integer.
    MaxUnsigned,
    /// The smaller unsigned integer.
    MinUnsigned,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// A left shift.
    ShiftLeft,
    /// An arithmetic right shift.
    ShiftRightSigned,
    /// A logical right shift.
    ShiftRightUnsigned,
    /// An operation on floats.
    Float(BinaryOp),
}

/// The kind of a scalar conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conversion {
    /// Integer sign extension or truncation.
    Signed,
    /// Integer zero extension or truncation.
    Unsigned,
    /// Reinterpretation of the bits.
    Bits,
    /// Between a signed integer and a float.
    SignedNumber,
    /// Between floats, or between an unsigned integer and a float.
    Number,
    /// Between integers of the same width.
    SameSize,
}
