//! Pictures as SVG 1.1: shapes and text only, so that every viewer shows them, also those that strip scripts, styles
//! and fonts.

mod diagram;
mod layout;
mod svg;

pub use diagram::diagram;
pub use layout::{layout, part_of};
