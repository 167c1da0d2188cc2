//! Pipes and event identifiers.
//!
//! A core issues each instruction to one pipe; pipes run concurrently and are ordered by flags. Source:
//! `docs/isa/state-and-types/` and the manual's pages on synchronization.

/// One pipe of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pipe {
    /// Scalar unit.
    Scalar,
    /// Vector unit.
    Vector,
    /// Moves from L1 to L0A, L0B and the bias table.
    Mte1,
    /// Loads from global memory to on-chip buffers.
    Mte2,
    /// Stores from UB to global memory.
    Mte3,
    /// Matrix unit.
    Matrix,
    /// Fixpipe: moves from L0C to UB, L1 and global memory, and from L1 to the fixpipe buffer.
    Fixpipe,
    /// All pipes of a core, in barriers.
    All,
}

/// The pipes of both kinds of cores, in the manual's order.
pub const PIPES: [Pipe; 7] =
    [Pipe::Scalar, Pipe::Vector, Pipe::Matrix, Pipe::Mte1, Pipe::Mte2, Pipe::Mte3, Pipe::Fixpipe];

/// The classes of instructions that events and buffer tokens name instead of pipes: the name in programs, the name
/// in the manual's table, and the pipe that runs the class.
///
/// Source: `mapSyncOpTypeToPipe` of the public assembler, the declaration of the names in its
/// `include/PTO/IR/PTOAttrs.td`, PipeEventKind in its `docs/PTO_IR_manual.md`. `include/pto/common/event.hpp`
/// agrees on every class that it lists; it lacks moves from L1 to UB, which the assembler runs on V.
const CLASSES: [(&str, &str, Pipe); 11] = [
    ("TLOAD", "EVENT_LOAD_FROM_GM", Pipe::Mte2),
    ("TSTORE_ACC", "EVENT_STORE_FROM_ACC", Pipe::Fixpipe),
    ("TSTORE_VEC", "EVENT_STORE_FROM_VEC", Pipe::Mte3),
    ("TMOV_M2L", "EVENT_MOVE_MAT_TO_LEFT", Pipe::Mte1),
    ("TMOV_M2S", "EVENT_MOVE_MAT_TO_SCALAR", Pipe::Fixpipe),
    ("TMOV_M2B", "EVENT_MOVE_MAT_TO_BIAS", Pipe::Mte1),
    ("TMOV_M2V", "EVENT_MOVE_MAT_TO_VEC", Pipe::Vector),
    ("TMOV_V2M", "EVENT_MOVE_VEC_TO_MAT", Pipe::Fixpipe),
    ("TMATMUL", "EVENT_COMPUTE_MATMUL", Pipe::Matrix),
    ("TVEC", "EVENT_COMPUTE_VEC", Pipe::Vector),
    ("TVECWAIT_EVENT", "EVENT_VEC_WAITPOINT", Pipe::Vector),
];

/// The names of the classes in programs.
pub(crate) const CLASS_NAMES: [&str; CLASSES.len()] = names(false);

/// The long names of the classes, as in C++.
pub(crate) const LONG_CLASS_NAMES: [&str; CLASSES.len()] = names(true);

const fn names(long: bool) -> [&'static str; CLASSES.len()] {
    let mut names = [""; CLASSES.len()];
    let mut at = 0;
    while at < CLASSES.len() {
        names[at] = if long { CLASSES[at].1 } else { CLASSES[at].0 };
        at += 1;
    }
    names
}

impl Pipe {
    /// The pipe that runs a class of instructions, such as `TLOAD`.
    pub fn of_class(word: &str) -> Option<Pipe> {
        let class = CLASSES.iter().find(|(name, long, _)| [*name, *long].contains(&word))?;
        Some(class.2)
    }

    /// The pipe with a word: a pipe's name or a class of instructions.
    pub fn of_word(word: &str) -> Option<Pipe> {
        Pipe::from_word(word).or_else(|| Pipe::of_class(word))
    }

    /// The pipe with a word such as `PIPE_MTE2`.
    pub fn from_word(word: &str) -> Option<Pipe> {
        Some(match word.strip_prefix("PIPE_")? {
            "S" => Pipe::Scalar,
            "V" => Pipe::Vector,
            "MTE1" => Pipe::Mte1,
            "MTE2" => Pipe::Mte2,
            "MTE3" => Pipe::Mte3,
            "M" => Pipe::Matrix,
            "FIX" => Pipe::Fixpipe,
            "ALL" => Pipe::All,
            _ => return None,
        })
    }

    /// The short name, as in `PIPE_MTE2` without `PIPE_`.
    pub fn word(self) -> &'static str {
        match self {
            Pipe::Scalar => "S",
            Pipe::Vector => "V",
            Pipe::Mte1 => "MTE1",
            Pipe::Mte2 => "MTE2",
            Pipe::Mte3 => "MTE3",
            Pipe::Matrix => "M",
            Pipe::Fixpipe => "FIX",
            Pipe::All => "ALL",
        }
    }
}

/// The number of event identifiers for each ordered pair of pipes.
pub const EVENT_IDS: u8 = 8;

/// An event identifier, `EVENT_ID0` to `EVENT_ID7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventId(u8);

impl EventId {
    /// The identifier `id`, or `None` from 8 on.
    pub fn new(id: u8) -> Option<EventId> {
        (id < EVENT_IDS).then_some(EventId(id))
    }

    /// The identifier with a word such as `EVENT_ID3`.
    pub fn from_word(word: &str) -> Option<EventId> {
        EventId::new(word.strip_prefix("EVENT_ID")?.parse().ok()?)
    }

    /// The number, 0 to 7.
    pub fn number(self) -> u8 {
        self.0
    }
}
