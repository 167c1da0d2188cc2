//! TPREFETCH_ASYNC: starts a prefetch of global memory into the L2 cache.

use super::collective::page;
use super::dma::{FLAT, check_flat};
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Kind, Syntax};
use crate::op::scalar_unit::ScalarInstruction;
#[cfg(feature = "run")]
use {
    super::dma::EVENT,
    super::tensor::TensorSlot,
    crate::exec::state::{Fault, State},
};

pub(super) static TPREFETCH_ASYNC: ScalarInstruction = ScalarInstruction {
    page: page(
        "tprefetch_async",
        "Starts a prefetch of a tensor into the L2 cache; no value changes.",
        "nothing changes; the tensor lies inside its buffer",
        "docs/isa/TPREFETCH_ASYNC.md",
        Syntax::Own(
            &["( %src , %context : :src , :context ) {} -> !type"],
            &[("src", Kind::View), ("context", Kind::Handle)],
        ),
        &[&FLAT],
    )
    .touching(&[Effect::names("src").of(Extent::View)]),
    check: |check| check_flat(check, "src"),
    #[cfg(feature = "run")]
    prepare: |prepare| {
        let (src, result) = (TensorSlot::of(prepare, "src")?, prepare.scalar_slot("result")?);
        Ok(Box::new(move |state: &mut State<'_>| {
            if !src.open(state)?.is_flat() {
                return Err(Fault::Broken(&FLAT, "the elements do not lie one after the other".into()));
            }
            state.scalars[result] = EVENT;
            Ok(())
        }))
    },
};
