//! Pictures as SVG 1.1: shapes and text only, which viewers that strip scripts, styles and fonts show too.

mod absent;
mod arrangement;
mod axis;
mod bits;
mod diagram;
mod layout;
pub mod memory;
mod svg;
mod tiles;
mod timeline;

pub use absent::reason;
pub use diagram::diagram;
pub use layout::layout;
