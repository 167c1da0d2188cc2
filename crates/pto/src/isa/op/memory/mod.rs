//! Between global memory and tiles.

mod conv;
mod few_rows;
mod loading;
mod scales;
mod tload;
mod tprefetch;
mod tstore;
pub(crate) mod window;

use super::Instruction;

/// The instructions of this set, by name.
pub(super) const LIST: &[&dyn Instruction] =
    &[&tload::TLOAD, &tprefetch::TPREFETCH, &tstore::TSTORE, &tstore::TSTORE_FP];

crate::isa::registry::handles!(
    super::expand::END;
    TLOAD,
    TPREFETCH,
    TSTORE,
    TSTORE_FP,
);
