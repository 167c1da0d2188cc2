//! Static analyses of a module. Results are computed on demand and not cached.
//!
//! - [`Facts`]: constants, addresses and valid regions that are known before the run.
//! - [`Storage`]: the values that alias one allocation.
//! - [`touches`]: the accesses of operations to tiles and global memory, with their pipes.
//! - [`Graph`]: the control flow graph of operations.
//! - [`Liveness`]: the live ranges of tiles.
//!
//! Positions of operations and dominance are in [`ir::flow`](crate::ir::flow).

mod effects;
mod facts;
mod graph;
mod live;
mod storage;

pub use effects::{Touch, touches};
pub use facts::Facts;
pub use graph::{Graph, Node};
pub use live::{Liveness, Range};
pub use storage::Storage;
