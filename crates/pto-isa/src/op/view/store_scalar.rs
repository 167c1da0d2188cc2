//! STORE_SCALAR: writes one element at a pointer.

use super::support::page;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Kind, Syntax};
use crate::op::scalar_unit::ScalarInstruction;
#[cfg(feature = "run")]
use {
    super::support::{Home, element_at},
    crate::exec::state::State,
    pto_num::set_element,
};

pub(super) static STORE_SCALAR: ScalarInstruction = ScalarInstruction {
    page: page(
        "store_scalar",
        "Writes one element of global memory, or of a tile through a pointer to it.",
        "pointer[offset] = value",
        "docs/PTO_IR_manual.md of the public assembler, pto.store_scalar",
        Syntax::Own(
            &["%value , %pointer [ %offset ] {} : :pointer , :value"],
            &[("value", Kind::Other), ("pointer", Kind::Pointer), ("offset", Kind::Index)],
        ),
        &[],
    )
    .touching(&[Effect::writes("pointer").of(Extent::Pointed("offset"))]),
    check: |_| {},
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let (pointer, offset) = (prepare.pointer("pointer")?, prepare.scalar("offset")?.0);
        let (value, ty) = prepare.scalar("value")?;
        let element = ty.element();
        let name = prepare.name("pointer").to_owned();
        Ok(Box::new(move |state: &mut State<'_>| {
            let at = state.scalars[offset] as i64;
            let (home, start) = element_at(state, state.scalars[pointer], at, element, &name)?;
            let bits = state.scalars[value];
            match home {
                Home::Buffer(buffer) => state.global.writing(buffer).set(start, 0, element, bits),
                Home::Chip => set_element(state.memory, start, 0, element, bits),
            }
            Ok(())
        }))
    },
};
