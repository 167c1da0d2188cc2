//! What a running core holds: memory, tiles, views, registers, and how instructions go through it.

mod fault;
pub mod global;
pub mod overlay;
pub mod reference;
pub mod registers;
pub(crate) mod runs;
mod sources;
pub mod state;
