//! Passes: transformations of a module that preserve its semantics.
//!
//! [`lower()`] runs those that turn an automatic program into a manual one: addresses for its tiles ([`place()`]), flags and
//! barriers ([`synchronize`]), several buffers for the tiles of a loop. [`canonicalize()`] simplifies.

mod canonicalize;
mod fold;
mod lower;
mod multi_buffer;
pub mod place;
pub mod sync;

pub use canonicalize::{Canonicalized, canonicalize};
pub use lower::{LowerOptions, Lowered, lower};
pub use place::{BufferPlan, Place, place, plan};
pub use sync::{Insertion, Reasoned, SynchronizeBy, synchronize};
