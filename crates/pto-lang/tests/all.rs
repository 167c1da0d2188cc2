//! The tests of the crate, in one program.

mod copy;
mod cursor;
mod expression;
mod extents;
mod flow;
mod forward;
mod linear;
mod live;
mod pack;
mod place;
mod steer;
mod storage;
mod sync;
mod tile_body;
