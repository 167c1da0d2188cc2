//! The tests of the crate, in one program.

mod copy;
mod cursor;
mod expression;
mod extents;
mod flow;
mod form;
mod forward;
mod linear;
mod live;
mod mistaken;
mod pack;
mod place;
mod steer;
mod storage;
mod sync;
mod tile_body;
