//! Pictures as SVG 1.1: shapes and text only, so that every viewer shows them, also those that strip scripts, styles
//! and fonts.

mod layout;
mod svg;

pub use layout::{layout, part_of};
