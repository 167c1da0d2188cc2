//! TENSOR_VIEW_ADDR: a pointer to the first element of a view.

use super::support::page;
use crate::element::element_word;
#[cfg(feature = "run")]
use crate::exec::state::State;
use crate::op::effect::Effect;
use crate::op::form::{Kind, Syntax};
use crate::op::origin::Origin;
use crate::op::scalar_unit::ScalarInstruction;
use crate::rule::Rule;

const SOURCE: &str = "docs/isa, view instructions: pto.tensor_view_addr";
const POINTER: Rule =
    Rule::new("pointer", "The result is a pointer to the view's elements in global memory.", SOURCE)
        .because("Loads and stores by the pointer use its element type and address space.")
        .instead("Write the result's type as a pointer with the view's element type, in `gm`.");

pub(super) static TENSOR_VIEW_ADDR: ScalarInstruction = ScalarInstruction {
    page: page(
        "tensor_view_addr",
        "Makes a pointer to the first element of a view; nothing is read.",
        "result points to element 0, ..., 0 of view",
        SOURCE,
        Syntax::Own(&["%view {} : :view -> !type"], &[("view", Kind::View)]),
        &[&POINTER],
    )
    .touching(&[Effect::names("view")])
    .from(Origin::Names(&["view"])),
    check: |check| {
        let Some(view) = check.site.view("view").cloned() else { return };
        let fits = check.site.pointer("result").is_some_and(|(element, space)| {
            element == view.element && space.is_none_or(|space| space == "gm")
        });
        check.require(&POINTER, "view", fits, |check| {
            let element = element_word(view.element);
            format!("a pointer to {} is a `!pto.ptr<{element}, gm>`", check.name("view"))
        });
    },
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let ((view, _), result) = (prepare.view("view")?, prepare.pointer("result")?);
        Ok(Box::new(move |state: &mut State<'_>| {
            state.scalars[result] = state.views[view].address;
            Ok(())
        }))
    },
};
