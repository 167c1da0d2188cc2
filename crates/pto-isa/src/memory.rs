//! The on-chip buffers of a block.
//!
//! A block is one cube core (L1, L0A, L0B, L0C, bias table, fixpipe buffer, MX scale buffers) and two
//! vector cores with a unified buffer each. Capacities differ by profile ([`super::profile`]).

/// One on-chip buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Buffer {
    /// Unified buffer of a vector core.
    Ub,
    /// Matrix buffer of the cube core.
    L1,
    /// Left operands.
    L0a,
    /// Right operands.
    L0b,
    /// Accumulators.
    L0c,
    /// Bias table.
    BiasTable,
    /// Fixpipe buffer: quantization parameters.
    Fixpipe,
    /// MX scales of left operands.
    ScaleLeft,
    /// MX scales of right operands.
    ScaleRight,
}

impl Buffer {
    /// Every buffer, in declaration order.
    pub const ALL: [Buffer; 9] = [
        Buffer::Ub,
        Buffer::L1,
        Buffer::L0a,
        Buffer::L0b,
        Buffer::L0c,
        Buffer::BiasTable,
        Buffer::Fixpipe,
        Buffer::ScaleLeft,
        Buffer::ScaleRight,
    ];

    /// The buffer's usual name.
    pub fn word(self) -> &'static str {
        match self {
            Buffer::Ub => "UB",
            Buffer::L1 => "L1",
            Buffer::L0a => "L0A",
            Buffer::L0b => "L0B",
            Buffer::L0c => "L0C",
            Buffer::BiasTable => "BT",
            Buffer::Fixpipe => "FB",
            Buffer::ScaleLeft => "L0A-MX",
            Buffer::ScaleRight => "L0B-MX",
        }
    }
}

/// Alignment of tile addresses on the NPU profiles, in bytes.
pub const ADDRESS_ALIGNMENT: u64 = 32;

/// The window of UB that some A2/A3 instructions use as workspace: 8 KB at 184 KB.
pub const TMP_WINDOW: std::ops::Range<u64> = 184 * 1024..192 * 1024;
