//! The parts of the `pto` command: arrays and their files, recorded cases, rendering, flags.
//!
//! Parts return errors as [`DataError`](pto::data::DataError) in terms of the user's files and flags; only [`commands`] prints and chooses
//! the exit status.

pub mod args;
pub mod args_dump;
pub mod called;
pub mod case;
pub mod commands;
pub mod cpp;
pub mod device;
pub mod explain;
pub mod files;
pub mod fix;
pub mod inspect;
pub mod judged;
mod keys;
pub mod layout;
pub mod legal;
pub mod linked;
pub mod manifest;
pub mod output;
pub mod picture;
mod printer;
pub mod programs;
mod progress;
pub mod render;
pub mod report;
pub mod settings;
pub mod version;
