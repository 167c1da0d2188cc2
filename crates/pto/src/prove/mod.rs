//! Judging what a lowering pass made of a program: whether it computes the same, under every schedule.
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
