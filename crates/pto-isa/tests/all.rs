//! The tests of the crate, in one program.

mod comments;
mod conv;
mod cost;
mod difference;
mod element;
mod foreign;
mod layout;
mod measure;
mod nearest;
mod overlay;
mod pattern;
mod picture;
mod profile;
mod runs;
mod scalar;
mod strided_range;
mod tile;
mod written;
