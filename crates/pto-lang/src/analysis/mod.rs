//! Static analyses of a module. Results are computed on demand and not cached.
//!
//! - [`Facts`]: constants, addresses and valid regions that are known before the run.
//! - [`Storage`]: the values that alias one allocation.
//! - [`touches`]: the accesses of operations to tiles and global memory, with their pipes.
//! - [`Expressions`]: integers as expressions of the arguments of a kernel.
//! - [`Interface`]: the arguments of a kernel: the buffers that it reads and writes, with their views, the uses of
//!   each scalar, and the shapes of buffers given the scalars, or the reverse.
//! - [`Steering`]: values of arguments with which a launch reaches an operation.
//! - [`Inventory`]: the tiles, the pipes and the synchronization of a kernel.
//! - [`Graph`]: the control flow graph of operations.
//! - [`Liveness`]: the live ranges of tiles.
//!
//! Positions of operations and dominance are in [`ir::flow`](crate::ir::flow).

pub(crate) mod accesses;
mod dependence;
mod effects;
mod expression;
mod extents;
mod facts;
pub(crate) mod global;
mod graph;
mod interface;
mod inventory;
pub mod linear;
mod live;
pub mod names;
pub(crate) mod passing;
pub(crate) mod places;
pub mod queues;
mod steer;
mod storage;

pub use effects::{Touch, touches};
pub use expression::{Expression, Expressions};
pub use extents::Direction;
pub use facts::Facts;
pub use graph::{Graph, Node};
pub use interface::{BufferView, Interface, Parameter, ParameterKind, Role, Use};
pub use inventory::{FlagPair, Inventory, Synchronization, Tile};
pub use live::{Liveness, Range};
pub use steer::{Steering, Target, Way};
pub use storage::Storage;
