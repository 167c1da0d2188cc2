//! A second judge of races: a happens-before model, written from `docs/race-checking.md`; the pipes of queues are from the
//! manual and the vendor's headers (`queues.rs`).
//!
//! The watchers of the toolchain process each event of a run once, with vector clocks and last accesses. This model has
//! the whole run as a list of facts ([`facts`]), adds every edge that the document names, and checks for each pair of
//! conflicting accesses whether one reaches the other ([`judge()`]). It is quadratic and simple, and shares no code
//! with the watchers; the facts come from a generator of programs ([`program`]), not from the machine.
//!
//! [`generate()`] makes synchronized programs, [`change()`] corrupts their synchronization, and [`compare()`] lists the
//! disagreements of the two judges.

mod change;
mod compare;
pub mod facts;
mod order;
pub mod program;
mod queues;
mod repair;
mod run;
mod shapes;
mod verdict;
mod watchers;
mod words;
mod written;

pub use change::change;
pub use compare::{Disagreement, compare};
pub use queues::Slots;
pub use shapes::generate;
pub use verdict::{Misuse, Race, Verdict, judge};
pub use watchers::{Finding, Watching, watch};
pub use written::Written;
