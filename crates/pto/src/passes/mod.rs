//! Passes: transformations of a module that preserve its semantics.

mod canonicalize;
mod fold;

pub use canonicalize::{Canonicalized, canonicalize};
