//! What operations mean, as a closed list: checker, decoder and printer ask for it in place of names.

use pto_num::BinaryOp;

/// What an operation means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Meaning {
    /// An instruction that its page's formula describes.
    Compute,
    /// A scalar constant.
    Constant,
    /// Two scalars of one type to one.
    Binary(Binary),
    /// A comparison of two scalars, by its attribute `predicate`.
    Compare {
        /// Of floats; else of integers.
        float: bool,
    },
    /// A float with the other sign.
    Negate,
    /// One of two values, by a condition.
    Select,
    /// A scalar in another type.
    Convert(Conversion),
    /// A counted loop.
    For,
    /// A choice between two regions.
    If,
    /// A loop with a condition.
    While,
    /// A region that runs once.
    Region,
    /// A choice between regions by number.
    Switch,
    /// A region that one kind of core runs.
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
    /// A tile, or several under one name.
    AllocTile,
    /// A tile whose address is given later.
    DeclareTile,
    /// One tile of several.
    MultiTileGet,
    /// Valid rows or columns of a tile.
    TileExtent {
        /// Columns; else rows.
        cols: bool,
    },
    /// A view whose address is given later.
    DeclareView,
    /// A view of global memory.
    MakeView,
    /// A part of a view.
    Partition,
    /// An extent or a stride of a view.
    ViewExtent {
        /// The stride; else the extent.
        stride: bool,
    },
    /// A pointer some elements further.
    AddPointer,
    /// A pointer as a number.
    PointerToInteger,
    /// A number as a pointer.
    IntegerToPointer,
    /// A struct of zeros.
    DeclareStruct,
    /// A field of a struct, read.
    StructGet,
    /// A field of a struct, written.
    StructSet,
    /// An array of zeros: of scalars, or of events.
    DeclareArray,
    /// An element of an array, read.
    ArrayGet,
    /// An element of an array, written.
    ArraySet,
    /// The control register, read.
    ReadControl,
    /// The control register, written.
    WriteControl,
    /// A fact of the launch.
    Launch(LaunchFact),
    /// A flag between two pipes of a core.
    Flag {
        /// Sets it; else waits for it.
        sets: bool,
        /// Its event is a number of the program; else an attribute.
        computed: bool,
    },
    /// A barrier of the pipe that its attribute names.
    Barrier,
    /// A buffer token of the pipe that its attribute names.
    Token {
        /// Takes it; else gives it back.
        acquires: bool,
    },
    /// Order that program order gives already.
    Fence,
    /// A flag between cores.
    CoreFlag {
        /// Sets it; else waits for it.
        sets: bool,
        /// Between which cores.
        between: Between,
    },
    /// A barrier of all cores.
    Meet,
    /// Memory for the slots of a queue.
    ReserveBuffer,
    /// The address of memory that another function reserves.
    ImportBuffer,
    /// One end of a queue that has a number.
    QueueEnd(Core),
    /// A queue as a value.
    Queue {
        /// Its slots are in global memory; else on chip.
        through_global: bool,
    },
    /// A slot of a queue: taken, filled, read or given back.
    Entry {
        /// What is done.
        action: EntryAction,
        /// The cores that the entry goes to; `None` where the queue is a value, which says it.
        to: Option<Core>,
    },
    /// Read and printed, but not run.
    NotRun,
}

impl Meaning {
    /// Whether the machine runs it.
    pub fn runs(self) -> bool {
        self != Meaning::NotRun
    }

    /// Whether it makes tiles that need a place: allocated, or declared.
    pub fn makes_tile(self) -> bool {
        matches!(self, Meaning::AllocTile | Meaning::DeclareTile)
    }

    /// Whether it ends its block.
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

    /// Whether it belongs to queues between cores.
    pub fn is_of_queues(self) -> bool {
        use Meaning::{Entry, ImportBuffer, Queue, QueueEnd, ReserveBuffer};
        matches!(self, Entry { .. } | ImportBuffer | Queue { .. } | QueueEnd(_) | ReserveBuffer)
    }
}

/// A kind of core of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// The cube core.
    Cube,
    /// A vector core.
    Vector,
}

/// What is done to a slot of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EntryAction {
    /// A free slot is taken, to be filled.
    Allocate,
    /// A slot is filled.
    Push,
    /// The next filled slot is read.
    Pop,
    /// A slot is free again.
    Free,
}

impl EntryAction {
    /// Whether the producer does it.
    pub fn produces(self) -> bool {
        matches!(self, EntryAction::Allocate | EntryAction::Push)
    }

    /// The core that does it to a queue towards `to`.
    pub fn core(self, to: Core) -> Core {
        if self.produces() == (to == Core::Vector) { Core::Cube } else { Core::Vector }
    }
}

/// Between which cores a flag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// The cores of a block.
    Cores,
    /// Blocks.
    Blocks,
    /// Those that the attribute `ffts_mode` says.
    Moded,
}

/// What a program can ask about its launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LaunchFact {
    /// The number of the block.
    BlockIndex,
    /// How many blocks there are.
    BlockCount,
    /// The number of the vector core in its block.
    SubBlockIndex,
    /// How many vector cores a block has.
    SubBlockCount,
}

/// An operation on two scalars of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[non_exhaustive]
pub enum Binary {
    /// The sum; it wraps.
    Add,
    /// The difference; it wraps.
    Sub,
    /// The product; it wraps.
    Mul,
    /// The quotient of signed integers, towards zero.
    DivSigned,
    /// The quotient of unsigned integers.
    DivUnsigned,
    /// The quotient of signed integers, upwards.
    CeilDivSigned,
    /// The quotient of signed integers, downwards.
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
    /// Bits to the left, zeros from the right.
    ShiftLeft,
    /// Bits to the right, the sign from the left.
    ShiftRightSigned,
    /// Bits to the right, zeros from the left.
    ShiftRightUnsigned,
    /// An operation on floats.
    Float(BinaryOp),
}

/// How a scalar becomes one of another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conversion {
    /// An integer, extended with its sign or cut.
    Signed,
    /// An integer, extended with zeros or cut.
    Unsigned,
    /// The bits as they are.
    Bits,
    /// Between a signed integer and a float.
    SignedNumber,
    /// Between floats, or between an unsigned integer and a float.
    Number,
    /// Between integers of one size.
    SameSize,
}
