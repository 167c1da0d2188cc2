//! Asynchronous transfers by the DMA engine; they complete at the latest when the program waits for their event.
//!
//! The machine performs them at once, which is one of the orders that the engine may choose. Event numbers are not
//! 0.

use super::collective::page;
use super::staging::{agree, five, shape_text, views};
use crate::element::element_word;
use crate::op::effect::{Effect, Extent};
use crate::op::form::{Kind, Syntax};
use crate::op::scalar_unit::ScalarInstruction;
use crate::op::site::Check;
use crate::rule::Rule;
#[cfg(feature = "run")]
use {
    super::tensor::TensorSlot,
    crate::exec::overlay::Area,
    crate::exec::state::{Execute, Fault, Prepare, State},
    pto_kernels::{Placement, transfer},
};

pub(super) static COMM_TGET_ASYNC: ScalarInstruction = ScalarInstruction {
    page: page(
        "comm.tget_async",
        "Starts a transfer from another rank to local memory; the returned event signals its completion.",
        "dst[i] = src[i] after a wait for the event",
        "docs/isa/comm/TGET_ASYNC.md",
        Syntax::Own(
            &["( %dst , %src , %session : :dst , :src , :session ) {} -> !type"],
            &[("dst", Kind::View), ("src", Kind::View), ("session", Kind::Handle)],
        ),
        &[&TYPE, &SHAPE, &FLAT],
    )
    .touching(&[Effect::reads("src").of(Extent::View), Effect::writes("dst").of(Extent::View)]),
    check: check_copy,
    #[cfg(feature = "run")]
    prepare: copy,
};

pub(super) static COMM_TPUT_ASYNC: ScalarInstruction = ScalarInstruction {
    page: page(
        "comm.tput_async",
        "Starts a transfer from local memory to another rank; the returned event signals its completion.",
        "dst[i] = src[i] after a wait for the event",
        "docs/isa/comm/TPUT_ASYNC.md",
        Syntax::Own(
            &["( %dst , %src , %session : :dst , :src , :session ) {} -> !type"],
            &[("dst", Kind::View), ("src", Kind::View), ("session", Kind::Handle)],
        ),
        &[&TYPE, &SHAPE, &FLAT],
    )
    .touching(&[Effect::reads("src").of(Extent::View), Effect::writes("dst").of(Extent::View)]),
    check: check_copy,
    #[cfg(feature = "run")]
    prepare: copy,
};

pub(super) static COMM_TEST_ASYNC_EVENT: ScalarInstruction = ScalarInstruction {
    page: page(
        "comm.test_async_event",
        "Tests without waiting whether the transfer of an event is complete.",
        "result = whether it is complete",
        "docs/isa/comm/TPUT_ASYNC.md, Completion Semantics",
        Syntax::Own(
            &["( %event , %session : :event , :session ) {} -> !type"],
            &[("event", Kind::Handle), ("session", Kind::Handle)],
        ),
        &[],
    ),
    check: |_| {},
    #[cfg(feature = "run")]
    prepare: is_over,
};

pub(super) static COMM_WAIT_ASYNC_EVENT: ScalarInstruction = ScalarInstruction {
    page: page(
        "comm.wait_async_event",
        "Waits until the transfer of an event, and all earlier ones of its session, are complete.",
        "result = true; false for an event without a transfer",
        "docs/isa/comm/TPUT_ASYNC.md, Completion Semantics",
        Syntax::Own(
            &["( %event , %session : :event , :session ) {} -> !type"],
            &[("event", Kind::Handle), ("session", Kind::Handle)],
        ),
        &[],
    ),
    check: |_| {},
    #[cfg(feature = "run")]
    prepare: is_over,
};

const SOURCE: &str = "docs/isa/comm/TPUT_ASYNC.md, Constraints";

pub(super) const TYPE: Rule =
    Rule::new("element-type", "Source and destination have one element type.", SOURCE)
        .because("The DMA engine copies bytes and converts nothing.")
        .instead("Give both tensors one element type.");
pub(super) const SHAPE: Rule = Rule::new("shape", "Source and destination have one shape.", SOURCE)
    .because("Each element has one destination.")
    .instead("Give both tensors the same extents.");
pub(super) const FLAT: Rule =
    Rule::new("flat", "Tensors have one dimension, and their elements lie one after the other.", SOURCE)
        .because("The DMA engine transfers one contiguous range of bytes.")
        .instead("Merge the dimensions into one with stride 1, or transfer row by row.");

/// The event number of a completed transfer.
pub(super) const EVENT: u64 = 1;

/// Checks that a tensor has one dimension and is contiguous, as far as this is known.
pub(super) fn check_flat(check: &mut Check<'_>, role: &str) {
    let shape = views(check, role).first().and_then(|view| five(view));
    let lines =
        shape.map_or(0, |shape| shape[..4].iter().filter(|extent| extent.is_some_and(|n| n != 1)).count());
    check.require(&FLAT, role, lines == 0, |check| {
        format!("{} is {}", check.name(role), shape_text(&shape.unwrap_or_default()))
    });
}

/// Checks the rules of a transfer from `src` to `dst`.
fn check_copy(check: &mut Check<'_>) {
    let element = |role| views(check, role).first().map(|view| view.element);
    if let Some((dst, src)) = element("dst").zip(element("src")) {
        check.require(&TYPE, "src", dst == src, |check| {
            let (to, from) = (check.name("dst"), check.name("src"));
            format!("{to} holds {}, {from} holds {}", element_word(dst), element_word(src))
        });
    }
    check_flat(check, "dst");
    check_flat(check, "src");
    let shape = |role| views(check, role).first().and_then(|view| five(view));
    if let Some((dst, src)) = shape("dst").zip(shape("src")) {
        check.require(&SHAPE, "src", agree(&dst, &src), |check| {
            let (to, from) = (check.name("dst"), check.name("src"));
            format!("{to} is {}, {from} is {}", shape_text(&dst), shape_text(&src))
        });
    }
}

/// A transfer from `src` to `dst`, ready to run.
#[cfg(feature = "run")]
pub(super) fn copy(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let (dst, src) = (TensorSlot::of(prepare, "dst")?, TensorSlot::of(prepare, "src")?);
    let result = prepare.scalar_slot("result")?;
    Ok(Box::new(move |state: &mut State<'_>| {
        let (to, from) = (dst.open(state)?, src.open(state)?);
        if to.shape != from.shape {
            return Err(Fault::Rule);
        }
        if !to.is_flat() || !from.is_flat() {
            return Err(Fault::Broken(&FLAT, "the elements do not lie one after the other".into()));
        }
        let (count, element) = (from.count(), from.element);
        if count > 0 {
            let start = from.placement([0; 3], 0, 0).offset;
            let range = start..start + element.bytes(count);
            let source = state.global.reading(from.buffer).read(&Area::bytes(range.clone()))[range].to_vec();
            let place = Placement::rows(to.placement([0; 3], 0, 0).offset, count);
            let area = Area { placement: place, rows: 1, cols: count, bits: element.bits() };
            let target = state.global.writing(to.buffer).write(&area);
            transfer(target, &place, &source, &Placement::rows(0, count), 1, count, element.bits());
        }
        state.scalars[result] = EVENT;
        Ok(())
    }))
}

/// An instruction that only returns a handle.
#[cfg(feature = "run")]
pub(super) fn handle(prepare: &Prepare<'_>, value: u64) -> Result<Box<dyn Execute>, String> {
    let result = prepare.scalar_slot("result")?;
    Ok(Box::new(move |state: &mut State<'_>| {
        state.scalars[result] = value;
        Ok(())
    }))
}

/// An instruction that returns whether the transfer of an event is complete.
#[cfg(feature = "run")]
fn is_over(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let (event, result) = (prepare.scalar_slot("event")?, prepare.scalar_slot("result")?);
    Ok(Box::new(move |state: &mut State<'_>| {
        state.scalars[result] = u64::from(state.scalars[event] != 0);
        Ok(())
    }))
}
