//! The instructions as methods of [`Kernel`].
//!
//! Most are generated from the registry: `generated.rs` has a method for each form of an instruction whose operands
//! are tiles, views and scalars. Methods with other parameters or results, such as a handle or a value, are written
//! by hand.
//!
//! The Rust compiler checks locations, element types that must agree, and required layouts.
//! Everything else is checked by the rules on each instruction's own page, which every method runs.

mod comm;
mod conv;
mod fills;
#[expect(clippy::too_many_arguments, reason = "a parameter for each operand")]
mod generated;
mod irregular;
mod layout;
mod matmul;
mod memory;
mod quant;
mod view;
mod words;

pub use comm::{AsyncEvent, AsyncSession, Notify, PrefetchContext, ReduceOp};
pub use irregular::Triangle;
pub use matmul::{LeftScale, RightScale};
pub use quant::{GroupAxis, MxFormat, ScaleAlgorithm};
pub use words::{Atomic, Axis, Beyond, Coalesce, Comparison, Conflict, MaskPattern, RoundMode, Saturation};

use super::Kernel;
use super::event::Event;
use super::target::Target;
use super::tile::{AnyTile, loc};
use pto_isa::registry::Op;
use pto_lang::build::{Call, Error, Id};

/// A tile of the unified buffer.
pub trait VecTile: AnyTile<Location = loc::Vec> {}
impl<T: AnyTile<Location = loc::Vec>> VecTile for T {}

/// The number of a tile handle.
fn id(tile: impl AnyTile) -> Id {
    tile.id().0
}

impl<P: Target> Kernel<P> {
    /// Issues an instruction of tiles and scalars alone.
    fn record(&mut self, op: Op, ins: &[Id], outs: &[Id]) -> Result<Event, Error> {
        self.recorder.issue(Call { ins, outs, ..Call::of(op) })
    }
}
