//! TSETVAL: writes one element of a tile.

use super::support::page;
use super::tgetval::{RANGE, in_range};
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Syntax, form};
use crate::op::scalar_unit::ScalarInstruction;
#[cfg(feature = "run")]
use {
    crate::exec::reference::scalar_bits,
    crate::exec::state::{Fault, State},
    pto_num::set_element,
};

pub(super) static TSETVAL: ScalarInstruction = ScalarInstruction {
    page: page(
        "tsetval",
        "Writes one element of a tile by its offset in memory order.",
        "dst[index] = value, elements counted from the start of the tile",
        "docs/PTO_IR_manual.md of the public assembler, pto.tsetval",
        Syntax::Destination(&[form!(ins(index: Scalar, value: Scalar) outs(dst: Tile))]),
        &[&RANGE],
    )
    .touching(&[Effect::writes("dst").of(Extent::Element("index"))]),
    check: |check| in_range(check, "dst"),
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let (dst, index) = (prepare.tile("dst")?, prepare.scalar("index")?.0);
        let (value, ty) = prepare.scalar("value")?;
        Ok(Box::new(move |state: &mut State<'_>| {
            let index = state.scalars[index];
            if index >= dst.ty.elements() as u64 {
                return Err(Fault::Rule);
            }
            let address = state.live(&dst).address;
            let bits = scalar_bits(state.scalars[value], ty, dst.ty.element);
            set_element(state.memory, address, index as usize, dst.ty.element, bits);
            Ok(())
        }))
    },
};
