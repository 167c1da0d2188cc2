//! The tests with generated programs, in one program: it links once, and its tests run side by side. `cargo test -p pto-smith
//! judge::` runs those of one file.

mod bad_input;
mod beside;
mod effects;
mod generated;
mod judge;
mod large_input;
mod lowered;
mod mutations;
mod perturbed;
mod reader;
mod rewrite;
mod shrink;
mod support;
mod sync;
