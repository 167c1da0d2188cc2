//! State of a running core: memory, tiles, views, registers; and helpers for instructions that access it.

pub(crate) mod bits;
mod fault;
pub(crate) mod global;
pub(crate) mod overlay;
pub(crate) mod reference;
pub(crate) mod registers;
pub(crate) mod runs;
mod sources;
pub(crate) mod state;
pub(crate) mod storage;
