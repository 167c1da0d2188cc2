//! LOAD_SCALAR: reads one element of global memory.

use super::support::{ScalarInstruction, element_at, page};
use crate::isa::op::form::Syntax;
use crate::isa::op::state::State;
use pto_kernels::get_element;

pub(super) static LOAD_SCALAR: ScalarInstruction = ScalarInstruction {
    page: page(
        "load_scalar",
        "Reads one element of global memory.",
        "result = pointer[offset]",
        "docs/PTO_IR_manual.md of the public assembler, pto.load_scalar",
        Syntax::Own(&["%pointer [ %offset ] {} : :pointer -> !type"]),
        &[],
    ),
    check: |_| {},
    prepare: |prepare| {
        let (pointer, offset) = (prepare.pointer("pointer")?, prepare.scalar("offset")?.0);
        let (result, ty) = prepare.scalar("result")?;
        let element = ty.element();
        let name = prepare.name("pointer").to_owned();
        Ok(Box::new(move |state: &mut State<'_>| {
            let at = state.scalars[offset] as i64;
            let (buffer, start, index) = element_at(state, state.scalars[pointer], at, element, &name)?;
            state.scalars[result] = get_element(&state.global.buffer(buffer).bytes, start, index, element);
            Ok(())
        }))
    },
};
