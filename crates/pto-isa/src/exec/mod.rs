//! State of a running core: memory, tiles, views, registers; and helpers for instructions that access it.

pub mod bits;
mod fault;
pub mod global;
pub mod overlay;
mod prepare;
pub mod reference;
pub mod registers;
pub mod runs;
mod sources;
pub mod state;
pub mod storage;
