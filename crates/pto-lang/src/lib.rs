//! Programs of the PTO tile ISA as text and as modules: read, checked, analysed and rewritten. Nothing here executes one.
//!
//! Users name these items through the crate `pto`.

pub mod analysis;
pub mod build;
pub mod check;
pub mod ir;
pub mod passes;
pub mod text;

pub use check::{Checked, check};
pub use text::parse;
