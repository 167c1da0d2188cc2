//! The instruction set of PTO tiles: formats, tiles, layouts, buffers, pipes, profiles and instructions.
//!
//! An operation's page ([`op`]) states as data the operands, the legal uses, the effects and the cost. This crate is
//! independent of modules, program text and runs. With the feature `run` it also contains the computation of each
//! operation, on the state in [`exec`]. Users name these items through the crate `pto`.

// Without `run`, facts that only formulas use are dead code.
#![cfg_attr(not(feature = "run"), allow(dead_code))]

pub mod arena;
pub mod attribute;
pub mod conv;
pub mod device;
pub mod diag;
pub mod dialect;
pub mod difference;
pub mod element;
#[cfg(feature = "run")]
pub mod exec;
pub mod foreign;
pub mod language;
pub mod layout;
pub mod matrix;
pub mod meaning;
pub mod memory;
pub mod pipe;
pub mod profile;
pub mod registry;
pub mod rule;
pub mod rules;
pub mod scalar;
pub mod strided_range;
pub mod tile;
mod tile_text;
pub mod types;
pub mod watcher;
pub mod written;

pub use registry::Op;

pub use conv::{ConvLayout, ConvTileType};
pub use element::Element;
pub use layout::{Layout, LayoutName};
pub use memory::Buffer;
pub use pipe::{EventId, Pipe};
pub use profile::Profile;
pub use tile::{BLayout, CompactMode, Location, Pad, SLayout, TileType, ValidRegion};

pub mod op;
