//! Data of launches: arrays and their files, sources of contents, arguments, comparison with expected values.
//!
//! Data of launches for the command and other front ends. Nothing here opens files: they come as readers, through [`Files`].

mod arguments;
mod array;
mod compare;
pub mod dtype;
mod error;
mod expected;
mod files;
mod generate;
pub mod guess;
mod integers;
mod kept;
mod lints;
pub mod npy;
pub mod npz;
pub mod number;
mod scalar;
mod source;
mod tolerance;
mod zip;

pub use arguments::{Arguments, Failure, Given, Input, Plan, located, place, plan, position, to_array};
pub use array::{Array, item_bytes, shape_bytes, shape_text, value_text};
pub use compare::{Comparison, Mismatch, compare, compare_expected};
pub use dtype::Dtype;
pub use error::{DataError, clip};
pub use expected::Expected;
pub use files::{Contents, Files, NoFiles, Opened};
pub use generate::Generator;
pub use integers::Integers;
pub use kept::Kept;
pub use lints::{ArgumentLints, GivenArray};
pub use scalar::parse_scalar;
pub use source::{Source, materialize, parse_shape, read_array};
pub use tolerance::{Distance, Tolerance};

#[cfg(test)]
mod tests;
