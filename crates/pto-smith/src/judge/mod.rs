//! A second judge of races: a model of what comes before what, written from `docs/race-checking.md` alone.
//!
//! The watchers of the toolchain look at each event of a run once and keep vector clocks and last accesses. This model
//! has the whole run as a list of facts ([`facts`]), draws every edge that the document names, and asks of each pair of
//! conflicting accesses whether one reaches the other ([`judge()`]). It is quadratic and plain, and shares no code with the
//! watchers; the facts do not come from the machine either, but from a generator that knows what it wrote ([`program`]).
//!
//! [`generate()`] makes synchronized programs, [`change()`] spoils their synchronization, and [`compare()`] says where the two
//! judges disagree.

mod change;
mod compare;
pub mod facts;
mod order;
pub mod program;
mod repair;
mod run;
mod shapes;
mod verdict;
mod watchers;
mod words;

pub use change::change;
pub use compare::{Disagreement, compare};
pub use shapes::generate;
pub use verdict::{Misuse, Race, Verdict, judge};
pub use watchers::{Finding, Watching, watch};
