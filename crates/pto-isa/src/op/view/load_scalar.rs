//! LOAD_SCALAR: reads one element at a pointer.

use super::support::page;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Kind, Syntax};
use crate::op::scalar_unit::ScalarInstruction;
#[cfg(feature = "run")]
use {
    super::support::{Home, element_at},
    crate::exec::state::State,
    pto_num::get_element,
};

pub(super) static LOAD_SCALAR: ScalarInstruction = ScalarInstruction {
    page: page(
        "load_scalar",
        "Reads one element of global memory, or of a tile through a pointer to it.",
        "result = pointer[offset]",
        "docs/PTO_IR_manual.md of the public assembler, pto.load_scalar",
        Syntax::Own(
            &["%pointer [ %offset ] {} : :pointer -> !type"],
            &[("pointer", Kind::Pointer), ("offset", Kind::Index)],
        ),
        &[],
    )
    .touching(&[Effect::reads("pointer").of(Extent::Pointed("offset"))]),
    check: |_| {},
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let (pointer, offset) = (prepare.pointer("pointer")?, prepare.scalar("offset")?.0);
        let (result, ty) = prepare.scalar("result")?;
        let element = ty.element();
        let name = prepare.name("pointer").to_owned();
        Ok(Box::new(move |state: &mut State<'_>| {
            let at = state.scalars[offset] as i64;
            let (home, start) = element_at(state, state.scalars[pointer], at, element, &name)?;
            state.scalars[result] = match home {
                Home::Buffer(buffer) => state.global.reading(buffer).get(start, 0, element),
                Home::Chip => get_element(state.memory, start, 0, element),
            };
            Ok(())
        }))
    },
};
