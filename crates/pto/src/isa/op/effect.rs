//! What an instruction touches, as data on its page.
//!
//! An [`Effect`] names an operand by its role, which of its bytes are touched and how. A page lists the effects of all its
//! forms: those of roles that a use does not have, and of profiles that it is not checked for, do not hold for it
//! ([`Instruction::effects`](super::Instruction::effects)). Watchers, logs, schedules and `pto explain` read effects and
//! nothing else; debug builds hold each instruction to what it declares to write, and generated programs to what it
//! declares to read.

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

/// A number of rows or of columns of a tile, in elements. A role names another tile of the same use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Those of the tile's own valid region.
    Valid,
    /// All declared ones of the tile.
    Declared,
    /// This many.
    Fixed(u32),
    /// The valid rows of another tile.
    Rows(&'static str),
    /// The valid columns of another tile.
    Cols(&'static str),
    /// Half the valid rows of another tile.
    HalfRows(&'static str),
    /// Half the valid columns of another tile.
    HalfCols(&'static str),
    /// The declared rows of another tile.
    DeclaredRows(&'static str),
    /// The declared columns of another tile.
    DeclaredCols(&'static str),
    /// The valid columns of another tile, rounded up to a multiple, but no more than declared.
    Blocks(&'static str, u32),
    /// Those of the tile's own valid region, rounded up to a multiple, but no more than declared.
    RoundedUp(u32),
    /// The valid rows of another tile, rounded up to a multiple.
    RoundedRows(&'static str, u32),
    /// The valid columns of another tile, rounded up to a multiple.
    RoundedCols(&'static str, u32),
    /// The valid columns of two other tiles together, but no more than declared.
    ColsOfBoth(&'static str, &'static str),
    /// Those of the tile's own valid region, but no more than the valid rows of another tile.
    SharedRows(&'static str),
    /// Those of the tile's own valid region, but no more than the valid columns of another tile.
    SharedCols(&'static str),
}

/// Which bytes of an operand are touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Rows x columns of a tile, from its first element on.
    Region(Count, Count),
    /// Rows x columns of a tile, from the row and the column in these roles on; 0 where a use has no such role.
    Window(Count, Count, [&'static str; 2]),
    /// One bit for each valid element of another tile; each row starts at a byte of its own.
    Bits(&'static str),
    /// As many elements in memory order as this count of another tile says.
    Leading(Count),
    /// Every byte of the place that a tile or a convolution tile takes.
    Storage,
    /// The element of a tile with the number in this role, counted in memory order.
    Element(&'static str),
    /// A whole view.
    View,
    /// As many elements as a view has, one after the other in memory from its first one on.
    Flat,
    /// The part of a view that the valid region of another tile covers.
    Covered(&'static str),
    /// The element behind a pointer at the offset in this role.
    Pointed(&'static str),
}

impl Extent {
    /// The valid region of a tile.
    pub const VALID: Extent = Extent::Region(Count::Valid, Count::Valid);
    /// The declared shape of a tile.
    pub const DECLARED: Extent = Extent::Region(Count::Declared, Count::Declared);
    /// The first row of the valid region of a tile.
    pub const FIRST_ROW: Extent = Extent::Region(Count::Fixed(1), Count::Valid);
    /// The first column of the valid region of a tile.
    pub const FIRST_COL: Extent = Extent::Region(Count::Valid, Count::Fixed(1));

    /// As many rows and columns as the valid region of another tile has.
    pub const fn like(role: &'static str) -> Extent {
        Extent::Region(Count::Rows(role), Count::Cols(role))
    }

    /// The phrase for the manual, such as `the valid region`.
    pub fn describe(self) -> String {
        let count = |count: Count, what: &str| match count {
            Count::Valid => format!("valid {what}"),
            Count::Declared => format!("all declared {what}"),
            Count::Fixed(1) => format!("the first {}", what.trim_end_matches('s')),
            Count::Fixed(number) => format!("the first {number} {what}"),
            Count::Rows(role) => format!("as many {what} as `{role}` has valid rows"),
            Count::Cols(role) => format!("as many {what} as `{role}` has valid columns"),
            Count::HalfRows(role) => format!("half as many {what} as `{role}` has valid rows"),
            Count::HalfCols(role) => format!("half as many {what} as `{role}` has valid columns"),
            Count::DeclaredRows(role) => format!("as many {what} as `{role}` has declared rows"),
            Count::DeclaredCols(role) => format!("as many {what} as `{role}` has declared columns"),
            Count::Blocks(role, _) => {
                format!("as many {what} as `{role}` has valid columns, rounded up to whole blocks")
            }
            Count::RoundedUp(unit) => format!("valid {what} rounded up to a multiple of {unit}"),
            Count::RoundedRows(role, unit) => {
                format!("as many {what} as `{role}` has valid rows, rounded up to a multiple of {unit}")
            }
            Count::RoundedCols(role, unit) => {
                format!("as many {what} as `{role}` has valid columns, rounded up to a multiple of {unit}")
            }
            Count::ColsOfBoth(a, b) => {
                format!("as many {what} as `{a}` and `{b}` have valid columns together")
            }
            Count::SharedRows(role) => format!("valid {what}, no more than `{role}` has valid rows"),
            Count::SharedCols(role) => format!("valid {what}, no more than `{role}` has valid columns"),
        };
        match self {
            Extent::VALID => "the valid region".to_owned(),
            Extent::DECLARED => "the declared shape".to_owned(),
            Extent::Region(rows, cols) => format!("{}, {}", count(rows, "rows"), count(cols, "columns")),
            Extent::Window(rows, cols, [row, col]) => {
                format!("{}, {} from (`{row}`, `{col}`) on", count(rows, "rows"), count(cols, "columns"))
            }
            Extent::Bits(role) => format!("one bit for each valid element of `{role}`"),
            Extent::Leading(number) => format!("{} in memory order", count(number, "elements")),
            Extent::Storage => "its whole storage".to_owned(),
            Extent::Element(role) => format!("the element with the number `{role}`"),
            Extent::View => "the whole view".to_owned(),
            Extent::Flat => "as many elements as the view has, one after the other from its first".to_owned(),
            Extent::Covered(role) => format!("the part of the view that the valid region of `{role}` covers"),
            Extent::Pointed(role) => format!("the element at offset `{role}`"),
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
    /// The window of UB that some instructions of A2/A3 use as scratch.
    Window,
    /// The pipes of the core.
    Pipes(Handshakes),
}

/// Flags that an instruction sets and awaits within itself: the pipe that sets one, and the pipe that waits for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Handshakes {
    /// Before the instruction begins.
    pub before: &'static [(Pipe, Pipe)],
    /// After it has ended.
    pub after: &'static [(Pipe, Pipe)],
    /// In between, where they order nothing for others.
    pub within: &'static [(Pipe, Pipe)],
}

impl Handshakes {
    /// A barrier of all pipes, before and after.
    const FENCES: Handshakes =
        Handshakes { before: &[(Pipe::All, Pipe::All)], after: &[(Pipe::All, Pipe::All)], within: &[] };

    /// Whether other instructions are ordered by them.
    pub fn orders(self) -> bool {
        !(self.before.is_empty() && self.after.is_empty())
    }

    /// The pipes that set and await flags. All have the number 0, which a program must not have in flight meanwhile.
    pub fn flags(self) -> impl Iterator<Item = (Pipe, Pipe)> {
        let all = self.before.iter().chain(self.after).chain(self.within);
        all.copied().filter(|(from, _)| *from != Pipe::All)
    }

    /// A sentence for the manual, without its end.
    fn describe(self) -> String {
        if self == Handshakes::FENCES {
            return "waits before and after for all pipes".to_owned();
        }
        let side = |pairs: &[(Pipe, Pipe)], when: &str| {
            let pairs: Vec<_> =
                pairs.iter().map(|(from, to)| format!("{} to {}", from.word(), to.word())).collect();
            (!pairs.is_empty()).then(|| format!("{} {when}", pairs.join(", ")))
        };
        let sides = [
            side(self.before, "before it begins"),
            side(self.within, "within it"),
            side(self.after, "after it has ended"),
        ];
        format!("holds flags of its own: {}", sides.into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
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
            .of(Extent::Region(Count::Fixed(1), Count::Cols(columns_of)))
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

    /// The window of UB that some instructions of A2/A3 use as scratch holds nothing afterwards.
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

    /// The same access to other bytes of the operand.
    pub const fn of(self, extent: Extent) -> Effect {
        let target = match self.target {
            Target::Operand(role, _) => Target::Operand(role, extent),
            other => other,
        };
        Effect { target, ..self }
    }

    /// The same on these profiles only.
    pub const fn on(self, profiles: &'static [Profile]) -> Effect {
        Effect { profiles, ..self }
    }

    /// The same for results that are integers only.
    pub const fn of_integers(self) -> Effect {
        Effect { integers: true, ..self }
    }

    /// The same by another pipe than the instruction's own.
    pub const fn by(self, pipe: Pipe) -> Effect {
        Effect { pipe: Some(pipe), ..self }
    }

    /// The same in the UB of a vector core.
    pub const fn in_core(self, core: u8) -> Effect {
        Effect { receiver: Receiver::Core(core), ..self }
    }

    /// The same, where only these bytes hold values and the rest is moved whatever it holds.
    pub const fn holding(self, values: Extent) -> Effect {
        Effect { values: Some(values), ..self }
    }

    /// The same, where some of the declared bytes may be without influence, with the reason.
    pub const fn loosely(self, why: &'static str) -> Effect {
        Effect { loose: Some(why), ..self }
    }

    /// The same as an addition in one step, if `atomic`.
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
