//! TTEST: tests whether all signals satisfy a comparison.

use super::collective::page;
use super::signal::{CMP, COMPARE, TYPE, VALUE, check_look};
use crate::op::effect::{Access, Effect};
use crate::op::form::{Kind, Syntax};
use crate::op::scalar_unit::ScalarInstruction;
#[cfg(feature = "run")]
use {super::signal::Look, crate::exec::state::State};

pub(super) static COMM_TTEST: ScalarInstruction = ScalarInstruction {
    page: page(
        "comm.ttest",
        "Tests without waiting whether all signals of a view satisfy a comparison with a value.",
        "result = (signal[...] cmp value for every element)",
        "docs/isa/comm/TTEST.md",
        Syntax::Own(
            &["( %signal , %value : :signal , :value ) {} -> !type"],
            &[("signal", Kind::View), ("value", Kind::Integer)],
        ),
        &[&TYPE, &VALUE, &COMPARE],
    )
    .with(&[CMP])
    .touching(&[Effect::signal("signal", Access::Look)]),
    check: check_look,
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let (look, result) = (Look::of(prepare)?, prepare.scalar("result")?.0);
        Ok(Box::new(move |state: &mut State<'_>| {
            let holds = look.missing(state)?.is_none();
            state.scalars[result] = u64::from(holds);
            *state.polls = !holds;
            Ok(())
        }))
    },
};
