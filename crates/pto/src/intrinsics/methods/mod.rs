//! The instructions as methods of [`Kernel`], one file for each instruction set.
//!
//! What the compiler can know it checks: locations, element types that must agree, layouts where one is demanded.
//! Everything else is the business of the rules in each instruction's own file, which every method runs.

mod comm;
mod conv;
mod elementwise;
mod expand;
mod fills;
mod interleaving;
mod irregular;
mod layout;
mod matmul;
mod memory;
mod quant;
mod reduce;
mod scalar;
mod view;

pub use comm::{AsyncEvent, AsyncSession, Notify, PrefetchContext, ReduceOp};
pub use elementwise::{Comparison, RoundMode, Saturation};
pub use irregular::{Atomic, Axis, Beyond, Coalesce, Conflict, MaskPattern, Order, Triangle};
pub use matmul::{LeftScale, RightScale};
pub use quant::{GroupAxis, MxFormat, ScaleAlgorithm};

use super::event::Event;
use super::target::Target;
use super::tile::{AnyTile, loc};
use super::{Kernel, dtype::DType};
use crate::build::Call;
use crate::build::Error;
use crate::build::Id;
use crate::isa::registry::Op;

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

/// Methods of instructions on vec tiles, by the list of their sources; all have the destination's element type
/// unless a source says `any`.
macro_rules! vec_methods {
    ($($(#[$doc:meta])* $name:ident = $op:ident ($($src:ident $(: $any:ident)?),*);)*) => {
        impl<P: Target> Kernel<P> {
            $(
                $(#[$doc])*
                ///
                /// # Errors
                /// If a rule of the instruction forbids these tiles.
                pub fn $name<D: VecTile>(
                    &mut self,
                    dst: D,
                    $($src: vec_methods!(@type D $($any)?)),*
                ) -> Result<Event, Error> {
                    self.record($crate::isa::registry::Op::$op, &[$(id($src)),*], &[id(dst)])
                }
            )*
        }
    };
    (@type $d:ident any) => { impl VecTile };
    (@type $d:ident) => { impl VecTile<DType = $d::DType> };
}
use vec_methods;

#[cfg(test)]
mod tests {
    use crate::isa::registry::Op;
    use std::collections::HashSet;

    /// The source of the methods: a method for each instruction is a line that names it.
    const SOURCES: [&str; 14] = [
        include_str!("comm.rs"),
        include_str!("conv.rs"),
        include_str!("elementwise.rs"),
        include_str!("expand.rs"),
        include_str!("fills.rs"),
        include_str!("interleaving.rs"),
        include_str!("irregular.rs"),
        include_str!("layout.rs"),
        include_str!("matmul.rs"),
        include_str!("memory.rs"),
        include_str!("quant.rs"),
        include_str!("reduce.rs"),
        include_str!("scalar.rs"),
        include_str!("view.rs"),
    ];

    /// Instructions about what a kernel from Rust does not have: queues between cores, handles and
    /// pointers in place of tiles.
    const WITHOUT: [Op; 4] = [Op::SET_QUANT_SCALAR, Op::SET_QUANT_VECTOR, Op::TASSIGN, Op::TILE_BUF_ADDR];

    #[test]
    fn every_instruction_has_a_method() {
        let words = |source: &'static str| source.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let named: HashSet<&str> = SOURCES.into_iter().flat_map(words).collect();
        for op in Op::all().filter(|op| op.instruction().is_some()) {
            // The order of a kernel from Rust is that of its events.
            if WITHOUT.contains(&op) || !op.page().set.has_formulas() {
                continue;
            }
            let constant = op.name().trim_start_matches("pto.").replace('.', "_").to_uppercase();
            assert!(named.contains(constant.as_str()), "no method of `Kernel` issues {op}");
        }
    }
}
