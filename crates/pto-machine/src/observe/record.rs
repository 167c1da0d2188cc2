//! Observers that record a launch and report no findings.

pub(in crate::observe) mod contents;
pub(in crate::observe) mod dump;
pub(in crate::observe) mod traffic;
pub(in crate::observe) mod writer;
