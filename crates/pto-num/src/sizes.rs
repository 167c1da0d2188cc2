//! Sizes that the definitions of instructions contain.

/// Bins of a histogram, one for each value of a byte.
pub const BINS: usize = 256;

/// Bytes of a pair in a sort: a value and its index.
pub const PAIR: usize = 8;

/// Pairs of a block that TSORT32 sorts.
pub const BLOCK: usize = 32;

/// Most lists that TMRGSORT merges at once.
pub const LISTS: usize = 4;

/// Elements of an MX group, which share a scale.
pub const GROUP: usize = 32;
