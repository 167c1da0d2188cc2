//! Verification of lowered programs: whether a program computes the same as its source, under every schedule.
//!
//! [`verify()`] compares two programs. It trusts neither: the second one may come from any tool.

mod arena;
mod compare;
mod gaps;
mod guided;
mod landmarks;
mod situations;
mod unlowered;
mod verdict;
mod verify;

pub(crate) use compare::Generated;
pub use situations::Situation;
pub use verdict::{
    Counterexample, Coverage, Difference, Outcome, Property, Verdict, Verification, VerifyOptions,
};
pub use verify::verify;
