//! The parts of the `pto` command: arrays and their files, recorded cases, rendering, flags.
//!
//! Parts return errors as [`DataError`] in terms of the user's files and flags; only [`commands`] prints and chooses
//! the exit status.

pub mod args;
pub mod array;
pub mod case;
pub mod commands;
pub mod compare;
pub mod dtype;
pub mod error;
pub mod explain;
pub mod fix;
pub mod guess;
pub mod inspect;
pub mod judged;
mod keys;
pub mod layout;
pub mod legal;
pub mod manifest;
pub mod npy;
mod number;
pub mod output;
pub mod picture;
pub mod programs;
mod progress;
pub mod render;
pub mod report;
pub mod settings;
pub mod source;

pub use array::Array;
pub use dtype::Dtype;
pub use error::DataError;
pub use pto_num::Element;
