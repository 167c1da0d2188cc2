//! Sequences: launches over named buffers that persist from one launch to the next.
//!
//! A [`Session`] holds the buffers, launches programs on parts of them, and watches across launches: bytes that a launch reads
//! before anything wrote them, and launches of a parallel group that access the same bytes. A [`Sequence`] is the
//! description of such launches as data, with repetitions and groups; [`Plan`] is that description with its kernels, checked
//! before the first launch. `docs/sequences.md` is the manual.

mod borrowed;
mod describe;
mod expression;
mod findings;
mod follow;
mod plan;
mod session;
mod watch;
mod window;
mod words;

pub use describe::{Arguments, BufferType, Number, Sequence, Step};
pub use expression::{Expression, Names};
pub use findings::Findings;
pub use follow::{Follow, Launched};
pub use plan::{Kernel, Load, Plan, Stopped};
pub use session::{BufferId, Given, Launch, Part, Session};
pub use words::{Finding, Named};
