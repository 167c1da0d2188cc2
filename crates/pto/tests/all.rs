//! The tests of the library, in one program: it links once, and its tests run side by side. `cargo test -p pto races` runs
//! those of one file. `rules.rs` is a program of its own, with a test for each rule.

mod aliases;
mod attributes;
mod build;
mod complexity;
mod convolution;
mod effects;
mod epilogue;
mod flags;
mod ids;
mod intrinsics;
mod layout;
mod legality;
mod lowering;
mod observing;
mod operands;
mod pages;
mod parallel;
mod parts;
mod passes;
mod picture_values;
mod pictures;
mod queues;
mod queues_on_chip;
mod races;
mod ranks;
mod reading;
mod registry;
mod results;
mod run;
mod statements;
mod support;
mod text;
mod timeline;
mod values;
mod watchers;
