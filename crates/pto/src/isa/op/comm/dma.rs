//! Transfers by the DMA engine, which go on beside the program until their event has been waited for.
//!
//! The machine makes them at once: an order that the engine may choose, too. Events are numbers other than 0.

use super::staging::{agree, five, shape_text, views};
use super::tensor::TensorSlot;
use crate::exec::overlay::Area;
use crate::exec::state::{Execute, Fault, Prepare, State};
use crate::isa::element::element_word;
use crate::isa::op::site::Check;
use crate::isa::rule::Rule;
use pto_kernels::{Placement, transfer};

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

/// The number of an event whose transfer has been made.
pub(super) const EVENT: u64 = 1;

/// The rule that tensors have one dimension, as far as it is known.
pub(super) fn check_flat(check: &mut Check<'_>, role: &str) {
    let shape = views(check, role).first().and_then(|view| five(view));
    let lines =
        shape.map_or(0, |shape| shape[..4].iter().filter(|extent| extent.is_some_and(|n| n != 1)).count());
    check.require(&FLAT, role, lines == 0, |check| {
        format!("{} is {}", check.name(role), shape_text(&shape.unwrap_or_default()))
    });
}

/// The rules of a transfer from `src` to `dst`.
pub(super) fn check_copy(check: &mut Check<'_>) {
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

/// An instruction that only makes a handle.
pub(super) fn handle(prepare: &Prepare<'_>, value: u64) -> Result<Box<dyn Execute>, String> {
    let result = prepare.scalar_slot("result")?;
    Ok(Box::new(move |state: &mut State<'_>| {
        state.scalars[result] = value;
        Ok(())
    }))
}

/// An instruction that says whether the transfer of an event has been made.
pub(super) fn is_over(prepare: &Prepare<'_>) -> Result<Box<dyn Execute>, String> {
    let (event, result) = (prepare.scalar_slot("event")?, prepare.scalar_slot("result")?);
    Ok(Box::new(move |state: &mut State<'_>| {
        state.scalars[result] = u64::from(state.scalars[event] != 0);
        Ok(())
    }))
}
