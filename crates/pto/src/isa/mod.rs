//! The instruction set: formats, tiles, layouts, buffers, pipes, profiles and instructions.

pub mod attribute;
pub mod conv;
pub mod device;
pub mod dialect;
pub mod element;
pub mod language;
pub mod layout;
pub mod meaning;
pub mod memory;
pub mod pipe;
pub mod profile;
pub mod registry;
pub mod rule;
pub mod rules;
pub(crate) mod scalar;
#[cfg_attr(not(feature = "run"), allow(dead_code))]
pub(crate) mod strided_range;
pub mod tile;
mod tile_text;
pub mod types;
pub mod watcher;
pub(crate) mod written;

pub use registry::Op;

pub use conv::{ConvLayout, ConvTileType};
pub use element::Element;
pub use layout::{Layout, LayoutName};
pub use memory::Buffer;
pub use pipe::{EventId, Pipe};
pub use profile::Profile;
pub use tile::{BLayout, CompactMode, Location, Pad, SLayout, TileType, ValidRegion};

pub mod op;
