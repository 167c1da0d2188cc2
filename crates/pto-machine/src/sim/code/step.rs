//! The steps that one core runs by itself, and those that order its pipes.

use super::super::value::ValueStep;
use pto_isa::meaning::{Binary, LaunchFact};
use pto_isa::pipe::Pipe;
use pto_isa::scalar::{Cast, Compare, Width};
use pto_kernels::{BinaryOp, Element};

/// The source of an extent or an address.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extent {
    /// Static.
    Fixed(u32),
    /// The value in this scalar slot.
    Slot(u32),
}

/// The source of a tile's address.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TilePlace {
    /// A fixed byte offset in the block's memory.
    Fixed(usize),
    /// Bytes of the block's memory that the machine chose, for a tile without an address; its contents are undefined
    /// at each allocation.
    Fresh { address: usize, bytes: u64, in_ub: bool },
    /// The byte offset in a scalar slot, relative to the buffer that starts at `base` and holds `capacity` bytes.
    Slot { slot: u32, base: usize, capacity: u64, bytes: u64 },
}

/// One step of a run. Slots are relative to the frame of the function.
///
/// The discriminant is one byte, because it is read at every step.
#[derive(Clone, Debug)]
#[repr(u8)]
pub(crate) enum Step {
    Constant {
        to: u32,
        bits: u64,
    },
    Copy {
        to: u32,
        from: u32,
    },
    CopyTile {
        to: u32,
        from: u32,
    },
    CopyView {
        to: u32,
        from: u32,
    },
    CopyArray {
        to: u32,
        from: u32,
    },
    Binary {
        op: Binary,
        width: Width,
        to: u32,
        a: u32,
        b: u32,
    },
    FloatBinary {
        op: BinaryOp,
        element: Element,
        to: u32,
        a: u32,
        b: u32,
    },
    FloatNegate {
        element: Element,
        to: u32,
        from: u32,
    },
    Compare {
        op: Compare,
        width: Width,
        to: u32,
        a: u32,
        b: u32,
    },
    CompareFloat {
        predicate: String,
        element: Element,
        to: u32,
        a: u32,
        b: u32,
    },
    Cast {
        cast: Cast,
        to: u32,
        from: u32,
    },
    Jump(u32),
    /// Continues if the scalar is not zero, else jumps.
    Unless {
        condition: u32,
        target: u32,
    },
    /// Jumps if the scalar equals a value.
    JumpIfEqual {
        slot: u32,
        value: u64,
        target: u32,
    },
    /// Tests a counted loop: jumps to `exit` unless `at < upper` as signed numbers.
    LoopTest {
        at: u32,
        upper: u32,
        width: Width,
        exit: u32,
    },
    /// Next iteration of a counted loop: adds the step and jumps to `head`.
    LoopNext {
        at: u32,
        step: u32,
        width: Width,
        head: u32,
    },
    /// Checks that the step of a loop is positive.
    PositiveIncrement {
        step: u32,
        width: Width,
    },
    Alloc {
        to: u32,
        place: TilePlace,
        rows: Extent,
        cols: Extent,
        limit: (u32, u32),
    },
    /// `first`: the index in the function's list of the extents, which the strides follow.
    MakeView {
        to: u32,
        pointer: u32,
        first: u32,
        rank: u8,
        bits: u32,
    },
    Partition {
        to: u32,
        from: u32,
        first: u32,
        rank: u8,
        bits: u32,
    },
    AddPointer {
        to: u32,
        pointer: u32,
        offset: u32,
        bytes: u32,
    },
    ViewDim {
        to: u32,
        view: u32,
        index: u32,
        stride: bool,
    },
    NewArray {
        to: u32,
        length: u32,
    },
    ArrayGet {
        to: u32,
        array: u32,
        first: u32,
        shape: u32,
        rank: u8,
    },
    ArraySet {
        array: u32,
        value: u32,
        first: u32,
        shape: u32,
        rank: u8,
    },
    Launch {
        to: u32,
        what: LaunchFact,
    },
    /// Runs the instruction with this index.
    Tile(u32),
    /// Runs the exchange between cores with this index.
    Exchange(u32),
    /// Begins a section of the cube core, which ends at `end`.
    CubeBegin {
        end: u32,
    },
    /// Begins a section of the vector cores, which ends at `end`.
    VectorBegin {
        end: u32,
    },
    /// Repeats the section, from `head`, for the other vector core.
    VectorEnd {
        head: u32,
    },
    Call {
        function: u32,
        first: u32,
    },
    Return {
        first: u32,
    },
    Value(ValueStep),
    /// Orders pipes by the sync step with this index; no effect in program order.
    Sync(u32),
    /// No effect: a hint.
    Nothing,
    /// Ends the call of a part of a live launch, whose frame stays for its results.
    Done,
}

/// A buffer token.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token {
    /// A token with a constant number.
    Number(u32),
    /// The unit flag of the accumulator in a slot.
    Unit(u32),
}

/// A synchronization of the pipes of a core.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SyncStep {
    /// Sets a flag from one pipe to another, or waits for it.
    Flag {
        sets: bool,
        from: Pipe,
        to: Pipe,
        id: Extent,
    },
    Barrier(Pipe),
    /// All pipes wait for the instructions of this pipe.
    Behind(Pipe),
    /// Acquires or releases a buffer token.
    Token {
        acquires: bool,
        pipe: Pipe,
        token: Token,
    },
}

impl SyncStep {
    /// Whether the step is part of an instruction.
    pub(crate) fn is_part(self) -> bool {
        matches!(self, SyncStep::Token { token: Token::Unit(_), .. })
    }
}
