//! Between global memory and tiles.

mod conv;
mod scales;
mod tload;
mod tstore;
pub(super) mod window;

use super::Instruction;

/// The instructions of this set, by name.
pub(super) const LIST: &[&dyn Instruction] = &[&tload::TLOAD, &tstore::TSTORE, &tstore::TSTORE_FP];
