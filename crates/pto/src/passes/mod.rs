//! Passes: a module goes in, a module comes out that does the same.

mod canonicalize;
mod fold;

pub use canonicalize::{Canonicalized, canonicalize};
