//! What a running core holds: memory, tiles, views, registers, and how instructions go through it.

mod fault;
pub(crate) mod global;
pub(crate) mod overlay;
pub(crate) mod reference;
pub(crate) mod registers;
pub(crate) mod runs;
mod sources;
pub(crate) mod state;
