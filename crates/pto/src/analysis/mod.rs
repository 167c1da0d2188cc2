//! What can be said of a program from its text alone: computed from the module, cached nowhere.
//!
//! - [`Facts`]: constants, addresses and valid regions that are known before the run.
//! - [`Storage`]: which values name one allocation.
//! - [`touches`]: what operations do to tiles and to global memory, on which pipe.
//! - [`Graph`]: what may run after what, operation by operation.
//! - [`Liveness`]: where what a tile holds is still needed.
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
