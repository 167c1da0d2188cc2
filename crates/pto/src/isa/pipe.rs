//! Pipes and event identifiers.
//!
//! A core issues each instruction to one pipe; pipes run side by side and are ordered by flags.
//! Source: `docs/isa/state-and-types/` and the manual's pages on synchronization.

/// One pipe of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pipe {
    /// Scalar unit.
    Scalar,
    /// Vector unit.
    Vector,
    /// L1 to L0A, L0B and the bias table.
    Mte1,
    /// Global memory to on-chip buffers.
    Mte2,
    /// UB to global memory.
    Mte3,
    /// Matrix unit.
    Matrix,
    /// Fixpipe: L0C to anywhere.
    Fixpipe,
    /// All pipes, in barriers.
    All,
}

impl Pipe {
    /// The pipe that a word such as `PIPE_MTE2` names.
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

    /// The identifier that a word such as `EVENT_ID3` names.
    pub fn from_word(word: &str) -> Option<EventId> {
        EventId::new(word.strip_prefix("EVENT_ID")?.parse().ok()?)
    }

    /// 0 to 7.
    pub fn number(self) -> u8 {
        self.0
    }
}
