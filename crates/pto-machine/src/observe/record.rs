//! Observers that keep what a launch does, and judge nothing.

pub(in crate::observe) mod contents;
pub(in crate::observe) mod dump;
pub(in crate::observe) mod traffic;
pub(in crate::observe) mod writer;
