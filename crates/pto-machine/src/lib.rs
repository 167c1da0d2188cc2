//! The machine that runs programs of the PTO tile ISA, and the observers that watch it.
//!
//! [`sim`] executes a checked program and reports events; it is independent of the observers. [`observe`] has the
//! watchers, logs and records that read these events. Users name these items through the crate `pto`.

pub mod observe;
pub mod sim;

pub use observe::log;
pub use sim::Program;
