//! Effects: the accesses of an instruction, as data on its page.
//!
//! An [`Effect`] consists of the role of an operand, the accessed bytes, and the kind of access. A page lists the effects of
//! all forms; effects of roles that a use does not have, and of other profiles, do not apply to it
//! ([`Instruction::effects`](super::Instruction::effects)). Watchers, logs, schedules and `pto explain` use effects only.
//! Debug builds check the declared writes of each instruction, tests with generated programs also the declared reads.

mod extent;
mod handshakes;
pub mod measure;
mod part;

pub use extent::{Count, Extent};
pub use handshakes::Handshakes;
pub use measure::{Measure, Side};
pub use part::TilePart;

use crate::pipe::Pipe;
use crate::profile::{A2A3_ONLY, CPU_AND_A2A3, Profile};

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Read: old contents influence a result.
    Read,
    /// Named only: the instruction uses the address, or returns an alias of a part, but accesses no byte.
    Name,
    /// Written: all bytes get new contents.
    Write,
    /// Written in part: data determine the bytes that get new contents; the others keep theirs.
    PartialWrite,
    /// Destroyed: contents are undefined afterwards. Examples: a workspace, a source that the instruction consumes.
    Destroy,
    /// A signal in global memory is changed, after everything before it.
    Notify,
    /// The instruction waits until a signal in global memory has the expected value.
    Await,
    /// The instruction tests whether a signal in global memory has the expected value, and returns the answer.
    Look,
    /// Pipes of the core wait for others, before the instruction begins and after it has ended.
    Order,
}

impl Access {
    /// Whether bytes may change.
    pub fn changes(self) -> bool {
        matches!(self, Access::Write | Access::PartialWrite | Access::Destroy)
    }

    /// Whether bytes are accessed: read, or possibly changed.
    pub fn is_of_bytes(self) -> bool {
        self == Access::Read || self.changes()
    }

    /// The verb for the manual.
    pub fn word(self) -> &'static str {
        match self {
            Access::Read => "reads",
            Access::Name => "names",
            Access::Write => "writes",
            Access::PartialWrite => "writes parts of",
            Access::Destroy => "destroys",
            Access::Notify => "notifies",
            Access::Await => "awaits",
            Access::Look => "looks at",
            Access::Order => "orders",
        }
    }
}

/// A register of a core that instructions write for later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Register {
    /// Feature map, repetition and padding of TIMG2COL.
    Img2col,
    /// Quantization of entries of a queue.
    Quantization,
    /// The rounding mode of products.
    Products,
}

impl Register {
    /// The name for the manual.
    pub fn word(self) -> &'static str {
        match self {
            Register::Img2col => "the registers of TIMG2COL",
            Register::Quantization => "the quantization registers of a queue",
            Register::Products => "the rounding mode of products",
        }
    }
}

/// The object of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Bytes of every operand in a role.
    Operand(&'static str, Extent),
    /// A register of the core.
    Register(Register),
    /// The window of UB that some instructions of A2/A3 use as workspace.
    Window,
    /// The pipes of the core.
    Pipes(Handshakes),
}

/// The vector core whose UB an operand is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
    /// The one that runs the instruction; vector core 0 for the cube core.
    Own,
    /// Vector core 0 or 1.
    Core(u8),
}

/// One effect of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Object of the effect: an operand, a register, the window of UB, or pipes.
    pub target: Target,
    /// The kind of access.
    pub access: Access,
    /// The pipe that performs the access; `None` for the instruction's pipe.
    pub pipe: Option<Pipe>,
    /// The vector core whose UB is accessed.
    pub receiver: Receiver,
    /// Whether the access is an atomic addition; two atomic additions do not conflict.
    pub atomic: bool,
    /// Whether the effect applies only to integer results.
    pub integers: bool,
    /// The profiles to which the effect applies.
    pub profiles: &'static [Profile],
    /// The part of the bytes that must hold values, if other bytes, such as padding, are moved too; `None` for all bytes.
    pub values: Option<Extent>,
    /// The reason why some of the declared bytes may have no influence on results; `None` if every byte has.
    pub loose: Option<&'static str>,
    /// Whether the elements of the tile that the effect does not write count as old data afterwards: contents of an
    /// earlier load.
    pub renews: bool,
}

/// The profiles whose instructions use every workspace. A5 accepts many and ignores them.
/// Source: `docs/isa/TROWMAX.md`, `docs/isa/TGATHER.md`: "accepted but not used".
const WITH_WORKSPACES: &[Profile] = CPU_AND_A2A3;

impl Effect {
    const fn new(access: Access, target: Target) -> Effect {
        Effect {
            target,
            access,
            pipe: None,
            receiver: Receiver::Own,
            atomic: false,
            integers: false,
            profiles: &Profile::ALL,
            values: None,
            loose: None,
            renews: false,
        }
    }

    /// The valid region of a tile is read.
    pub const fn reads(role: &'static str) -> Effect {
        Effect::new(Access::Read, Target::Operand(role, Extent::VALID))
    }

    /// One quantization parameter for each valid column of another tile is read, in the first row.
    pub const fn reads_parameters(role: &'static str, columns_of: &'static str) -> Effect {
        Effect::reads(role)
            .of(Extent::Rect(Count::Fixed(1), Count::Cols(columns_of)))
            .loosely("only bits 13 to 46 of a parameter are used")
    }

    /// The valid region of a tile is written.
    pub const fn writes(role: &'static str) -> Effect {
        Effect::new(Access::Write, Target::Operand(role, Extent::VALID))
    }

    /// Data-dependent parts of the valid region of a tile are written; `why` describes them.
    pub const fn writes_parts(role: &'static str, why: &'static str) -> Effect {
        Effect::new(Access::PartialWrite, Target::Operand(role, Extent::VALID)).loosely(why)
    }

    /// The address of an operand is used, and none of its bytes is accessed.
    pub const fn names(role: &'static str) -> Effect {
        Effect::new(Access::Name, Target::Operand(role, Extent::Storage))
    }

    /// The storage of a tile is undefined afterwards.
    pub const fn destroys(role: &'static str) -> Effect {
        Effect::new(Access::Destroy, Target::Operand(role, Extent::Storage))
    }

    /// The window of UB that some instructions of A2/A3 use as workspace is undefined afterwards.
    pub const fn uses_window() -> Effect {
        Effect::new(Access::Destroy, Target::Window).on(A2A3_ONLY)
    }

    /// A workspace that A5 accepts and ignores.
    pub const fn workspace(role: &'static str) -> Effect {
        Effect::destroys(role).on(WITH_WORKSPACES)
    }

    /// A signal is changed, waited for or tested.
    pub const fn signal(role: &'static str, access: Access) -> Effect {
        Effect::new(access, Target::Operand(role, Extent::View))
    }

    /// A register is read.
    pub const fn reads_register(register: Register) -> Effect {
        Effect::new(Access::Read, Target::Register(register))
    }

    /// A register is written.
    pub const fn writes_register(register: Register) -> Effect {
        Effect::new(Access::Write, Target::Register(register))
    }

    /// The instruction waits for all pipes of the core before it begins, and they wait for its end.
    pub const fn fences() -> Effect {
        Effect::orders(Handshakes::FENCES.before, Handshakes::FENCES.after)
    }

    /// An effect of an instruction that itself sets flags and waits for them, from the first pipe of a pair to the
    /// second.
    pub const fn orders(before: &'static [(Pipe, Pipe)], after: &'static [(Pipe, Pipe)]) -> Effect {
        Effect::new(Access::Order, Target::Pipes(Handshakes { before, after, within: &[] }))
    }

    /// On A2/A3 the scalar unit performs a part of the instruction, synchronized with V before and after by its own flags.
    pub const fn uses_flags() -> Effect {
        let within = &[(Pipe::Vector, Pipe::Scalar), (Pipe::Scalar, Pipe::Vector)];
        Effect::new(Access::Order, Target::Pipes(Handshakes { before: &[], after: &[], within }))
            .on(A2A3_ONLY)
    }

    /// Sets the accessed bytes of the operand.
    pub const fn of(self, extent: Extent) -> Effect {
        let target = match self.target {
            Target::Operand(role, _) => Target::Operand(role, extent),
            other => other,
        };
        Effect { target, ..self }
    }

    /// Limits the effect to these profiles.
    pub const fn on(self, profiles: &'static [Profile]) -> Effect {
        Effect { profiles, ..self }
    }

    /// Limits the effect to results that are integers.
    pub const fn of_integers(self) -> Effect {
        Effect { integers: true, ..self }
    }

    /// Sets the pipe that performs it, if it is not the instruction's.
    pub const fn by(self, pipe: Pipe) -> Effect {
        Effect { pipe: Some(pipe), ..self }
    }

    /// Sets the vector core whose UB is accessed.
    pub const fn in_core(self, core: u8) -> Effect {
        Effect { receiver: Receiver::Core(core), ..self }
    }

    /// Declares the bytes that must be values; other bytes, such as padding, are moved too.
    pub const fn holding(self, values: Extent) -> Effect {
        Effect { values: Some(values), ..self }
    }

    /// Sets the reason why some of the declared bytes may have no influence on results.
    pub const fn loosely(self, why: &'static str) -> Effect {
        Effect { loose: Some(why), ..self }
    }

    /// Declares that the other elements of the tile count as old data afterwards.
    pub const fn renewing(self) -> Effect {
        Effect { renews: true, ..self }
    }

    /// Sets whether the write is an atomic addition.
    pub const fn atomically(self, atomic: bool) -> Effect {
        Effect { atomic, ..self }
    }

    /// The role of the operand, if it is one.
    pub fn role(&self) -> Option<&'static str> {
        match self.target {
            Target::Operand(role, _) => Some(role),
            Target::Register(_) | Target::Window | Target::Pipes(_) => None,
        }
    }

    /// A sentence for the manual, without its end: ``reads `src`: the valid region``.
    pub fn describe(&self) -> String {
        let mut text = match self.target {
            Target::Operand(role, extent) => {
                format!("{} `{role}`: {}", self.access.word(), extent.describe())
            }
            Target::Register(register) => format!("{} {}", self.access.word(), register.word()),
            Target::Window => format!("{} the last 8 KB of UB", self.access.word()),
            Target::Pipes(handshakes) => handshakes.describe(),
        };
        if let Receiver::Core(core) = self.receiver {
            text.push_str(&format!(", in vector core {core}"));
        }
        if let Some(pipe) = self.pipe {
            text.push_str(&format!(", on pipe {}", pipe.word()));
        }
        if self.atomic {
            text.push_str(", atomically");
        }
        if self.integers {
            text.push_str(", of integers");
        }
        if self.profiles.len() < Profile::ALL.len() {
            let words: Vec<_> = self.profiles.iter().map(|profile| profile.word()).collect();
            text.push_str(&format!(" ({} only)", words.join(", ")));
        }
        if let Some(values) = self.values {
            text.push_str(&format!(", of which {} holds values", values.describe()));
        }
        if let Some(why) = self.loose {
            text.push_str(&format!("; {why}"));
        }
        text
    }
}
