//! A toolchain for the PTO tile ISA.

pub mod diag;
pub mod ir;
pub mod isa;
pub mod text;
