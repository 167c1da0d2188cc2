//! What an instruction touches, as data on its page.
//!
//! An [`Effect`] names an operand by its role, which of its bytes are touched and how. A page lists the effects of all its
//! forms: those of roles that a use does not have, and of profiles that it is not checked for, do not hold for it
//! ([`Instruction::effects`](super::Instruction::effects)). Watchers, logs, schedules and `pto explain` read effects and
//! nothing else; debug builds hold each instruction to what it declares to write, and generated programs to what it
//! declares to read.

mod extent;
mod handshakes;

pub use extent::{Count, Extent};
pub use handshakes::Handshakes;

use crate::isa::pipe::Pipe;
use crate::isa::profile::Profile;

/// How bytes are touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Access {
    /// Their old contents influence a result.
    Read,
    /// None is touched: the instruction names the place, or takes part of it as a place of its own.
    Name,
    /// All of them get new contents.
    Write,
    /// Some get new contents, which ones depends on data; the others keep theirs.
    PartialWrite,
    /// Their contents are undefined afterwards: a workspace, or a source that the instruction consumes.
    Destroy,
    /// A signal in global memory is changed, after everything before it.
    Notify,
    /// The instruction goes on when a signal in global memory is as wanted.
    Await,
    /// The instruction looks at a signal in global memory, and leaves in its result whether it is as wanted.
    Look,
    /// Pipes of the core wait for others, before the instruction begins and after it has ended.
    Order,
}

impl Access {
    /// Whether bytes may change.
    pub fn changes(self) -> bool {
        matches!(self, Access::Write | Access::PartialWrite | Access::Destroy)
    }

    /// Whether bytes are read or may change.
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

/// What is touched.
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

/// One thing that an instruction touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What is touched.
    pub target: Target,
    /// How it is touched.
    pub access: Access,
    /// The pipe that does this part; `None` for the instruction's own pipe.
    pub pipe: Option<Pipe>,
    /// The vector core whose UB is touched.
    pub receiver: Receiver,
    /// Whether the access adds to memory in one step, so that two such accesses are no conflict.
    pub atomic: bool,
    /// Whether it holds only for results that are integers.
    pub integers: bool,
    /// The profiles on which it holds.
    pub profiles: &'static [Profile],
    /// The part of the bytes that holds values, where the rest is moved whatever it holds; `None` where all of them do.
    pub values: Option<Extent>,
    /// Why some of the declared bytes may be without influence; `None` where every byte counts.
    pub loose: Option<&'static str>,
}

/// The profiles whose instructions use every workspace. A5 accepts many and ignores them.
/// Source: `docs/isa/TROWMAX.md`, `docs/isa/TGATHER.md`: "accepted but not used".
const WITH_WORKSPACES: &[Profile] = &[Profile::Cpu, Profile::A2A3];

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
            .loosely("bits 13 to 46 of a parameter matter")
    }

    /// The valid region of a tile is written.
    pub const fn writes(role: &'static str) -> Effect {
        Effect::new(Access::Write, Target::Operand(role, Extent::VALID))
    }

    /// Parts of the valid region of a tile are written, as the data say; `why` says which.
    pub const fn writes_parts(role: &'static str, why: &'static str) -> Effect {
        Effect::new(Access::PartialWrite, Target::Operand(role, Extent::VALID)).loosely(why)
    }

    /// The place of an operand is named, and none of its bytes is touched.
    pub const fn names(role: &'static str) -> Effect {
        Effect::new(Access::Name, Target::Operand(role, Extent::Storage))
    }

    /// The storage of a tile is undefined afterwards.
    pub const fn destroys(role: &'static str) -> Effect {
        Effect::new(Access::Destroy, Target::Operand(role, Extent::Storage))
    }

    /// The window of UB that some instructions of A2/A3 use as workspace holds nothing afterwards.
    pub const fn uses_window() -> Effect {
        Effect::new(Access::Destroy, Target::Window).on(&[Profile::A2A3])
    }

    /// A workspace that A5 accepts and ignores.
    pub const fn workspace(role: &'static str) -> Effect {
        Effect::destroys(role).on(WITH_WORKSPACES)
    }

    /// A signal is changed, awaited or looked at.
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

    /// All pipes of the core are waited for, before and after.
    pub const fn fences() -> Effect {
        Effect::orders(Handshakes::FENCES.before, Handshakes::FENCES.after)
    }

    /// The instruction sets and awaits flags of its own, from the first pipe of a pair to the second.
    pub const fn orders(before: &'static [(Pipe, Pipe)], after: &'static [(Pipe, Pipe)]) -> Effect {
        Effect::new(Access::Order, Target::Pipes(Handshakes { before, after, within: &[] }))
    }

    /// The scalar unit of A2/A3 does a part of the instruction, between V and V, by flags of its own.
    pub const fn uses_flags() -> Effect {
        let within = &[(Pipe::Vector, Pipe::Scalar), (Pipe::Scalar, Pipe::Vector)];
        Effect::new(Access::Order, Target::Pipes(Handshakes { before: &[], after: &[], within }))
            .on(&[Profile::A2A3])
    }

    /// Names the bytes of the operand that are touched.
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

    /// Names the pipe that does it, where that is not the instruction's own.
    pub const fn by(self, pipe: Pipe) -> Effect {
        Effect { pipe: Some(pipe), ..self }
    }

    /// Names the vector core whose UB is touched.
    pub const fn in_core(self, core: u8) -> Effect {
        Effect { receiver: Receiver::Core(core), ..self }
    }

    /// Says that only these bytes hold values; the rest is moved whatever it holds.
    pub const fn holding(self, values: Extent) -> Effect {
        Effect { values: Some(values), ..self }
    }

    /// Says why some of the declared bytes may be without influence.
    pub const fn loosely(self, why: &'static str) -> Effect {
        Effect { loose: Some(why), ..self }
    }

    /// Says whether the write is an addition in one step.
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
            text.push_str(", in one step");
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
