//! The tests of the crate, in one program.

mod digest;
mod kept;
mod log;
mod observe;
mod view_ranges;
