//! A toolchain for the PTO tile ISA.

pub mod diag;
