//! Options of a new tile.

use super::value::Index;
use pto_isa::tile::Pad;

/// Options of a new tile; all are optional.
#[derive(Clone, Copy, Debug, Default)]
pub struct Make {
    pub(super) valid: [Option<Index>; 2],
    pub(super) address: Option<u64>,
    pub(super) pad: Pad,
}

impl Make {
    /// Sets the valid rows and columns of a tile whose type has [`DYNAMIC`](super::DYNAMIC) for them.
    pub fn valid(mut self, rows: impl Into<Index>, cols: impl Into<Index>) -> Make {
        self.valid = [Some(rows.into()), Some(cols.into())];
        self
    }

    /// The address in the tile's buffer, in bytes; without it the tile is placed automatically.
    pub fn assign(mut self, address: u64) -> Make {
        self.address = Some(address);
        self
    }

    /// Sets the padding value, which instructions that pad write outside the valid region.
    pub fn pad(mut self, pad: Pad) -> Make {
        self.pad = pad;
        self
    }
}
