//! Judging what a lowering pass made of a program: whether it computes the same, under every schedule.
//!
//! [`verify()`] compares two programs. It trusts neither: the second one may come from any tool.

mod compare;
mod situations;
mod verdict;
mod verify;

pub use situations::Situation;
pub use verdict::{Counterexample, Difference, Outcome, Property, Verification, VerifyOptions};
pub use verify::verify;
