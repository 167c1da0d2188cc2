//! A toolchain for the PTO tile ISA.

pub mod check;
pub mod diag;
pub mod ir;
pub mod isa;
pub mod sim;
pub mod text;

pub use check::{Checked, check};
pub use isa::Profile;
pub use sim::Program;
pub use text::parse;
