//! TWAIT: waits until all signals satisfy a comparison.

use super::collective::page;
use super::signal::{CMP, COMPARE, TYPE, VALUE, check_look};
use crate::op::effect::{Access, Effect};
use crate::op::form::{Kind, Syntax};
use crate::op::scalar_unit::ScalarInstruction;
#[cfg(feature = "run")]
use {
    super::signal::Look,
    crate::exec::state::{Fault, State},
};

pub(super) static COMM_TWAIT: ScalarInstruction = ScalarInstruction {
    page: page(
        "comm.twait",
        "Waits until all signals of a view satisfy a comparison with a value.",
        "continues when signal[...] cmp value for every element",
        "docs/isa/comm/TWAIT.md",
        Syntax::Own(
            &["( %signal , %value : :signal , :value ) {}"],
            &[("signal", Kind::View), ("value", Kind::Integer)],
        ),
        &[&TYPE, &VALUE, &COMPARE],
    )
    .with(&[CMP])
    .touching(&[Effect::signal("signal", Access::Await)]),
    check: check_look,
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let look = Look::of(prepare)?;
        Ok(Box::new(move |state: &mut State<'_>| match look.missing(state)? {
            Some(missing) => Err(Fault::Wait(missing)),
            None => Ok(()),
        }))
    },
};
