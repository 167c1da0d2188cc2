//! Numeric loops of the PTO machine.
//!
//! Every kernel works on one byte buffer and ranges in it, since the tiles of a program may coincide or
//! overlap. The crate knows number formats and placements of matrices in memory; it knows no tiles.

mod element;

pub use element::Element;
