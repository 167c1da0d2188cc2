//! Passes: transformations of a module that preserve its semantics.
//!
//! [`lower()`] runs the passes that turn an automatic program into a manual one: addresses for its tiles
//! ([`place()`]), flags and barriers ([`synchronize`]), several buffers for the tiles of a loop. [`canonicalize()`]
//! simplifies a program.

mod canonicalize;
mod fold;
mod lower;
mod multi_buffer;
pub mod place;
mod slots;
pub mod sync;

pub use canonicalize::{Canonicalized, canonicalize};
pub use lower::{Choices, LowerOptions, Lowered, Slots, candidates, least, lower};
pub use place::{BufferPlan, Place, Reuse, place, plan};
pub use sync::{Insertion, Joins, Reasoned, SynchronizeBy, synchronize};
