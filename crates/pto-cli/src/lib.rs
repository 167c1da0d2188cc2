//! The parts of the `pto` command: arrays and the files they live in, recorded cases, rendering, flags.
//!
//! What a part finds wrong it returns as a [`DataError`] in the user's words; only [`commands`] prints and
//! decides on the exit status.

pub mod args;
pub mod array;
pub mod case;
pub mod commands;
pub mod compare;
pub mod dtype;
pub mod error;
pub mod explain;
mod keys;
pub mod layout;
pub mod legal;
pub mod manifest;
pub mod npy;
mod number;
pub mod output;
pub mod picture;
pub mod programs;
pub mod render;
pub mod source;

pub use array::Array;
pub use dtype::Dtype;
pub use error::DataError;
pub use pto_num::Element;
